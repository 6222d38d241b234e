import { type AssetBody, type AssetType, extensionOf } from '@cloudhal/shared/site/asset';
import type { Draft } from '../graph/draft.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import type { MadeAsset } from '../media/make-asset.ts';

export function getAsset(view: View, ref: string, at: At = {}): Promise<GraphNode<'asset'>> {
  return view.get('asset', ref, at);
}

export type NewAsset = {
  filename: string;
  facts: MadeAsset['facts'];
  source: AssetBody['source'];
  alt: string;
  credit?: string | undefined;
  licence?: string | undefined;
  untrusted?: boolean;
};

/** A new asset of the draft; where the same bytes were sent before, the one that was made of them. */
export async function addAsset(draft: Draft, asset: NewAsset): Promise<{ node: GraphNode<'asset'>; isNew: boolean }> {
  const { filename, facts, source, alt, credit, licence, untrusted } = asset;
  const known = await madeOf(draft, source.sha256);
  if (known) return { node: known, isNew: false };
  const { defaultLocale } = await draft.head();
  const node = await draft.create('asset', {
    filename: plainFilename(filename, facts.type),
    ...facts,
    source,
    alt: { [defaultLocale]: alt },
    ...(credit && { credit }),
    ...(licence && { licence }),
    ...(untrusted && { untrusted }),
  });
  return { node, isNew: true };
}

/** The asset of these bytes; the oldest, where one of them came back out of the trash beside another. */
async function madeOf(view: View, sha256: string): Promise<GraphNode<'asset'> | undefined> {
  const [known] = await view.rows<{ id: string }>(
    `SELECT node_id AS id FROM tools.ver WHERE site_id = $1 AND track = 'draft' AND kind = 'asset' AND slug = $2
       AND to_seq IS NULL AND NOT deleted ORDER BY node_id LIMIT 1`,
    [sha256],
  );
  return known && view.get('asset', known.id);
}

/** A file name that means nothing to any system, with the ending that its content has. */
export function plainFilename(name: string, type: AssetType): string {
  const last = name.normalize('NFKD').split(/[/\\]/).at(-1)!;
  const stem = last
    .replace(/\.[A-Za-z0-9]{1,8}$/, '')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  return `${stem || 'file'}.${extensionOf(type)}`;
}

/** How many nodes show each of the assets, on the draft or live. */
export async function usesOf(view: View, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await view.rows<{ target: string; uses: number }>(
    `SELECT target, count(DISTINCT source) AS uses FROM tools.edge
     WHERE site_id = $1 AND track IN ('draft', 'live') AND target = ANY($2) GROUP BY target`,
    [ids],
  );
  return new Map(rows.map(({ target, uses }) => [target, uses]));
}
