import { fail } from '@cloudhal/shared/errors';
import type { Draft } from './draft.ts';
import { kindRow } from './kinds.ts';
import { shownAssets } from './named-nodes.ts';
import type { GraphNode } from './node.ts';

type Shown = Pick<GraphNode, 'kind' | 'body'>;

/** Refuses content that comes to show an asset which this site does not have. What it showed before may be gone by now. */
export async function refuseUnknownAssets(draft: Draft, after: Shown, before?: Shown): Promise<void> {
  const known = new Set(before ? shownAssets(before) : []);
  const asked = shownAssets(after).filter((id) => !known.has(id));
  if (asked.length === 0) return;
  const there = new Set((await draft.nodes(asked)).flatMap(({ id, kind }) => (kind === 'asset' ? [id] : [])));
  const missing = asked.find((id) => !there.has(id));
  if (missing === undefined) {
    // One may go to the trash until this is stored.
    draft.write(
      `SELECT 1 FROM tools.ver WHERE site_id = $1 AND track = 'draft' AND node_id = ANY($2::text[]) AND to_seq IS NULL AND NOT deleted`,
      [asked],
      {
        rows: asked.length,
        otherwise: fail('validation_failed', {
          path: 'body',
          expected: 'assets that are there still: one went to the trash meanwhile',
        }),
      },
    );
    return;
  }
  const links = kindRow(after.kind).links?.(after.body as never) ?? [];
  const [, path = 'body'] = /^(?:field|section):(.+)$/.exec(links.find(({ target }) => target === missing)!.role) ?? [];
  throw fail('validation_failed', { path, expected: `assets of this site, see list_assets; ${missing} is none` });
}
