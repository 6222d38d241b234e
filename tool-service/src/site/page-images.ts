import type { AssetBody } from '@cloudhal/shared/site/asset';
import type { At } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { mediaFiles } from '../render/media.ts';

/** How a page that is looked at in a browser gets its images: what `/media/<asset>/<file>` is in a state, and nothing else. */
export function pageImages(view: View, at: At, read: (hash: string) => Promise<Buffer>) {
  return async (path: string): Promise<{ bytes: Buffer; contentType: string } | undefined> => {
    const [, id = '', file = ''] = /^\/media\/(as_[^/]+)\/([^/]+)$/.exec(path) ?? [];
    const [node] = id === '' ? [] : await view.nodes([id], at);
    const found = node?.kind === 'asset' ? mediaFiles(node.body as AssetBody).get(file) : undefined;
    if (!found?.type.startsWith('image/')) return undefined;
    return { bytes: await read(found.hash), contentType: found.type };
  };
}
