import { type AssetBody, extensionOf, isImage } from '@cloudhal/shared/site/asset';
import type { Place } from './links.ts';

/** Assets by id. What is not in it is not for readers. */
export type Assets = ReadonlyMap<string, AssetBody>;

/** The files of an asset, by the name that they have in addresses: a name stands for one content for ever. */
export function mediaFiles({ hash, type, renditions }: AssetBody): Map<string, { hash: string; type: string }> {
  const files = new Map(renditions.map((one) => [`${one.hash}.webp`, { hash: one.hash, type: 'image/webp' }]));
  return files.set(`${hash}.${extensionOf(type)}`, { hash, type });
}

/** The asset that an address in a text names as `asset:<id>`. */
export function assetIdOf(address: string): string | undefined {
  return /^asset:(as_[0-9a-z]+)$/.exec(address)?.[1];
}

function addressOf({ basePath }: Pick<Place, 'basePath'>, id: string, file: string): string {
  return `${basePath}/media/${id}/${file}`;
}

/** The address of an asset's whole file. */
export function assetAddress(place: Pick<Place, 'basePath'>, id: string, { hash, type }: AssetBody): string {
  return addressOf(place, id, `${hash}.${extensionOf(type)}`);
}

type ImageAttributes = Record<'src' | 'alt' | 'loading' | 'decoding', string> &
  Partial<Record<'srcset' | 'sizes' | 'width' | 'height', string>>;

export type ImageOptions = {
  /** Empty: what is said of the asset; `decorative` says that words beside it say it already. */
  alt?: string;
  decorative?: boolean;
  locale: string;
  defaultLocale: string;
  /** It is in view when the page opens. */
  eager?: boolean;
  /** How wide it is shown, as HTML has it; as wide as text when absent. */
  sizes?: string;
};

/** An image of the site in all its sizes; its width and height keep its place while it loads. `undefined` where readers may not see it. */
export function imageAttributes(
  place: Pick<Place, 'basePath'>,
  assets: Assets,
  id: string,
  { alt, decorative, locale, defaultLocale, eager, sizes: shownAt = '(min-width: 48rem) 46rem, 100vw' }: ImageOptions,
): ImageAttributes | undefined {
  const asset = assets.get(id);
  if (!asset || !isImage(asset)) return undefined;
  const { width, height, renditions } = asset;
  const src = assetAddress(place, id, asset);
  const sizes = renditions.map((one) => `${addressOf(place, id, `${one.hash}.webp`)} ${one.width}w`);
  return {
    src,
    ...(sizes.length > 0 && {
      srcset: [...sizes, `${src} ${width}w`].join(', '),
      sizes: shownAt,
    }),
    alt: decorative ? '' : alt || textIn(asset.alt, locale, defaultLocale) || '',
    ...(width !== undefined && { width: String(width), height: String(height) }),
    loading: eager ? 'eager' : 'lazy',
    decoding: 'async',
  };
}

/** In the locale asked for, else in the site's own. */
export function textIn(texts: Record<string, string>, locale: string, defaultLocale: string): string | undefined {
  return texts[locale] ?? texts[defaultLocale];
}
