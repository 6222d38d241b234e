import { type Static, Type } from 'typebox';

/** The kinds of files that a site may have; what a file is, is found out from its bytes. */
export const assetTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/svg+xml',
  'application/pdf',
] as const;
export type AssetType = (typeof assetTypes)[number];

/** A text in each locale. */
const Texts = Type.Record(Type.String(), Type.String());

/** One stored file, by its hash. */
export const Rendition = Type.Object({ width: Type.Integer(), height: Type.Integer(), hash: Type.String() });
export type Rendition = Static<typeof Rendition>;

/** A file of the site: what readers get, where it came from, and what is said about it. */
export const AssetBody = Type.Object({
  filename: Type.String(),
  type: Type.Unsafe<AssetType>({ type: 'string' }),
  /** SHA-256 in hex of what readers get, which was made from what was sent. */
  hash: Type.String(),
  bytes: Type.Integer(),
  /** In pixels; of images. */
  width: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  /** Smaller ones, as WebP, by width. */
  renditions: Type.Array(Rendition),
  source: Type.Object({
    /** Of the bytes that were sent; the same bytes are the same asset. */
    sha256: Type.String(),
    /** Where it was fetched from, and when (ISO 8601). */
    url: Type.Optional(Type.String()),
    fetchedAt: Type.Optional(Type.String()),
  }),
  /** What it shows, by locale; an empty text says that it only decorates. */
  alt: Texts,
  caption: Type.Optional(Texts),
  credit: Type.Optional(Type.String()),
  licence: Type.Optional(Type.String()),
  /** It was fetched from outside, and no person has edited or published it yet. */
  untrusted: Type.Optional(Type.Boolean()),
  /** What must stay in view where the image is cut: from the left and from the top, 0 to 1. */
  focalPoint: Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() })),
});
export type AssetBody = Static<typeof AssetBody>;

export function isImage({ type }: Pick<AssetBody, 'type'>): boolean {
  return type.startsWith('image/');
}

const extensions: Record<AssetType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
};

export function extensionOf(type: AssetType): string {
  return extensions[type];
}
