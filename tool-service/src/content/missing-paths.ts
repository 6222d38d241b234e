import type { Track } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { ownFiles } from './redirect-address.ts';

/** Those of the paths at which nothing is, on any of the tracks. */
export async function missingPaths(
  view: View,
  paths: readonly string[],
  tracks: readonly Track[] = ['draft'],
): Promise<Set<string>> {
  const asked = new Set(paths.filter((path) => path !== '/' && !ownFiles.has(path.slice(1))));
  if (asked.size === 0) return asked;
  const there = await view.rows<{ path: string }>(
    `SELECT v.path FROM tools.ver v
     WHERE v.site_id = $1 AND v.track = ANY($3) AND v.to_seq IS NULL AND NOT v.deleted AND v.path = ANY($2)
     UNION SELECT b.doc->>'pathPrefix' FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     WHERE v.site_id = $1 AND v.track = ANY($3) AND v.to_seq IS NULL AND NOT v.deleted AND v.kind = 'content_type'`,
    [[...asked], tracks],
  );
  for (const { path } of there) asked.delete(path);
  return asked;
}
