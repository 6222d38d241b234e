import { isImage } from '@cloudhal/shared/site/asset';
import { Type } from 'typebox';
import type { GraphNode } from '../../graph/node.ts';

/** What identifies an asset; the answer to a write. */
export const AssetHeadData = Type.Object({
  id: Type.String(),
  filename: Type.String(),
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

export function assetHead({ id, rev, body: { filename, type } }: GraphNode<'asset'>) {
  return { id, filename, type, rev };
}

/** All that is known of an asset, without the names under which its files are stored. */
export function assetData(node: GraphNode<'asset'>) {
  const { filename, type, hash: _, renditions, ...body } = node.body;
  return {
    ...assetHead(node),
    ...body,
    renditions: renditions.map(({ width, height }) => ({ width, height })),
    ...(isImage(node.body) && { markdown: `![](asset:${node.id})` }),
  };
}

/** How an asset gets into content. */
export function howToUse({ id, body }: GraphNode<'asset'>): string {
  return isImage(body)
    ? `Show it in a body or a text section with ![](asset:${id}), in an image or hero section, or as an article's leadImage; it goes live with the first node that shows it.`
    : `Link to it in a body with [text](asset:${id}); it goes live with the first node that does.`;
}
