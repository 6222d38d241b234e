import type { MediaFile } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { AssetBody } from '@cloudhal/shared/site/asset';
import type { Static } from 'typebox';
import { shownAssets } from '../graph/named-nodes.ts';
import type { At } from '../graph/node.ts';
import { SqlView } from '../graph/sql-view.ts';
import { releasedVersion } from '../releases/plan-release.ts';
import { mediaFiles } from '../render/media.ts';
import { openPreview } from './previews.ts';
import { siteBySlug } from './site-by-slug.ts';

type Served = Static<typeof MediaFile>;
type Asked = { asset: string; file: string };

/** A file of an asset that is live: what readers may have whoever gives them the address. */
export async function siteMedia(
  database: Database,
  { site: ref, asset, file }: Asked & { site: string },
): Promise<Served> {
  const id = await siteBySlug(database, ref);
  return fileOf(new SqlView(database, id), asset, file, { track: 'live' });
}

/** A file of an asset that the node of a preview shows, in the state that the preview shows; the link opens no other. */
export async function previewMedia(
  database: Database,
  { token, asset, file }: Asked & { token: string },
): Promise<Served> {
  const { site, node: id, track, snapshot, release } = await openPreview(database, token);
  const view = new SqlView(database, site);
  const at: At = { track, ...(snapshot !== undefined && { snapshot }) };
  const node = release === undefined ? await view.node(id, at) : await releasedVersion(view, release, id);
  if (node.id !== asset && !shownAssets(node).includes(asset))
    return fileOf(view, asset, file, { ...at, track: 'live' });
  return fileOf(view, asset, file, at);
}

async function fileOf(view: SqlView, id: string, file: string, at: At): Promise<Served> {
  const [node] = id.startsWith('as_') ? await view.nodes([id], at) : [];
  const found = node?.kind === 'asset' ? mediaFiles(node.body as AssetBody).get(file) : undefined;
  if (!found) throw fail('not_found', { what: 'file', id: file });
  return { ...found, filename: (node!.body as AssetBody).filename };
}
