import { fail } from '@cloudhal/shared/errors';
import type sharpModule from 'sharp';
import type { SharpInput, SharpOptions } from 'sharp';

type Sharp = typeof sharpModule;

/** Pixels of all frames together, read from the header before anything is decoded. */
export const mostPixels = 50_000_000;
export const mostFrames = 300;
const longestSeconds = 10;

let loading: Promise<Sharp> | undefined;

/** The image library, loaded where an image is first worked on, and closed to every format but those that are sniffed for. */
async function load(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.block({ operation: ['VipsForeignLoad'] });
    const formats = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Svg'];
    sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}`) });
    return sharp;
  });
  return loading;
}

export async function openImage(bytes: SharpInput, options: SharpOptions = {}) {
  const sharp = await load();
  return sharp(bytes as Buffer, { limitInputPixels: mostPixels, failOn: 'error', ...options }).timeout({
    seconds: longestSeconds,
  });
}

export type Dimensions = { width: number; height: number; frames: number };

/** What the header says; `limit_exceeded` for what would be too much to decode. */
export async function readDimensions(bytes: Buffer, options: SharpOptions = {}): Promise<Dimensions> {
  const image = await openImage(bytes, { ...options, limitInputPixels: false });
  const { width, pageHeight, height = 0, pages = 1 } = await readable(image.metadata());
  const frameHeight = pageHeight ?? height;
  if (pages > mostFrames) throw fail('limit_exceeded', { what: 'The animation', max: `${mostFrames} frames` });
  const frames = options.animated ? pages : 1;
  if (width * frameHeight * frames > mostPixels)
    throw fail('limit_exceeded', { what: 'The image', max: `${mostPixels / 1_000_000} megapixels` });
  return { width, height: frameHeight, frames };
}

/** What the library cannot make sense of is no image; its own words stay here. */
export async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const expected = 'an image that is whole and can be decoded';
    throw Object.assign(fail('validation_failed', { path: 'content', expected }), { cause: error });
  }
}
