import { isImage } from '@cloudhal/shared/site/asset';
import { Type } from 'typebox';
import type { GraphNode } from '../../graph/node.ts';

/** What identifies an asset; the answer to a write. */
export const AssetHeadData = Type.Object({
  id: Type.String(),
  filename: Type.Optional(Type.String()),
  type: Type.String(),
  rev: Type.Integer(),
});

export const AltArg = Type.String({
  maxLength: 1000,
  description: 'What it shows; empty where it only decorates.',
});
export const CreditArg = Type.String({ maxLength: 300, description: 'Who made it.' });
export const LicenceArg = Type.String({ maxLength: 200, description: 'Such as CC BY 4.0.' });
export const FilenameArg = Type.String({ minLength: 1, maxLength: 255, description: 'A file name.' });
export const AssetRef = Type.String({ minLength: 1, maxLength: 64, description: 'Its id.' });
export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  description: 'In hex.',
});

export function assetHead(node: GraphNode<'asset'>, heard: object = {}) {
  const { id, rev, body } = node;
  return { id, type: body.type, rev, ...worded(node, { filename: body.filename }, heard) };
}

/** All that is known of an asset, without the names under which its files are stored. */
export function assetData(node: GraphNode<'asset'>) {
  const { filename, alt, caption, credit, licence, source, ...more } = node.body;
  const { hash: _, renditions, untrusted, ...facts } = more;
  const { url, ...origin } = source;
  const words = {
    filename,
    alt,
    ...(caption && { caption }),
    ...(credit !== undefined && { credit }),
    ...(licence !== undefined && { licence }),
  };
  return {
    id: node.id,
    rev: node.rev,
    ...facts,
    source: untrusted ? origin : source,
    ...worded(node, words, untrusted ? { url } : {}),
    renditions: renditions.map(({ width, height }) => ({ width, height })),
    ...(isImage(node.body) && { markdown: `![](asset:${node.id})` }),
  };
}

/** What is said of an asset. While nobody has looked at what was fetched it is apart, as is always what others said. */
function worded<W extends object>({ id, body: { untrusted } }: GraphNode<'asset'>, words: W, heard: object) {
  const apart = { ...(untrusted && words), ...heard };
  return {
    ...(!untrusted && words),
    ...(Object.keys(apart).length > 0 && { untrusted: [{ source: 'fetch', id, ...apart }] }),
  };
}

/** How an asset gets into content. */
export function howToUse({ id, body }: GraphNode<'asset'>): string {
  return isImage(body)
    ? `Show it in a body or a text section with ![](asset:${id}), in an image or hero section, or as an article's leadImage; it goes live with the first node that shows it.`
    : `Link to it in a body with [text](asset:${id}); it goes live with the first node that does.`;
}
