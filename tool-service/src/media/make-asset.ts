import { blobKey, sha256Of } from '@cloudhal/shared/blobs/blob-store';
import { fail } from '@cloudhal/shared/errors';
import type { AssetBody, AssetType } from '@cloudhal/shared/site/asset';
import { openImage, readable, readDimensions } from './images.ts';
import { sanitizeSvg } from './sanitize-svg.ts';
import { type SourceType, sniffType, unsupported } from './sniff-type.ts';

/** A file to store, and what an asset's body says of it. */
export type MadeAsset = {
  facts: Pick<AssetBody, 'type' | 'hash' | 'bytes' | 'width' | 'height' | 'renditions'>;
  files: { key: string; bytes: Buffer }[];
};

/** Of what is written anew. PNG and GIF lose nothing; a quality would make a palette of a PNG. */
const qualities = { jpeg: { quality: 88 }, webp: { quality: 88 }, png: {}, gif: {} };
/** The widths of what readers get, each where it is smaller than the image itself. */
const widths = [320, 640, 960, 1280, 1920];
const largestSvg = 1024 * 1024;

/**
 * Makes what readers get from what somebody sent: images are decoded and written anew, which leaves behind where and with
 * what they were taken and whatever else was hidden in the file; drawings keep only what draws. Nothing of the name or of
 * the type that the sender gave is believed.
 */
export async function makeAsset(bytes: Buffer): Promise<MadeAsset> {
  const type = await sniffType(bytes);
  if (type === 'application/pdf') return made(type, bytes);
  if (type === 'image/svg+xml') return makeDrawing(bytes);
  return makeImage(bytes, type);
}

async function makeImage(bytes: Buffer, source: SourceType): Promise<MadeAsset> {
  const animated = source === 'image/gif' || source === 'image/webp';
  const { frames } = await readDimensions(bytes, { animated });
  const options = { animated: frames > 1 };
  const [type, format] = formatFor(source);
  const image = (await openImage(bytes, options)).autoOrient().keepIccProfile().toFormat(format, qualities[format]);
  const { data, info } = await readable(image.toBuffer({ resolveWithObject: true }));
  const height = frames > 1 ? Math.round(info.height / frames) : info.height;
  const whole = made(type, data, { width: info.width, height });
  if (frames > 1) return whole;
  for (const width of widths.filter((one) => one < info.width)) {
    const smaller = (await openImage(bytes)).autoOrient().resize({ width }).webp({ quality: 78 });
    const { data: part, info: its } = await readable(smaller.toBuffer({ resolveWithObject: true }));
    const hash = sha256Of(part);
    whole.files.push({ key: blobKey(hash), bytes: part });
    whole.facts.renditions.push({ width: its.width, height: its.height, hash });
  }
  return whole;
}

function formatFor(source: SourceType): [AssetType, 'jpeg' | 'png' | 'webp' | 'gif'] {
  if (source === 'image/png') return ['image/png', 'png'];
  if (source === 'image/gif') return ['image/gif', 'gif'];
  return source === 'image/jpeg' ? ['image/jpeg', 'jpeg'] : ['image/webp', 'webp'];
}

async function makeDrawing(bytes: Buffer): Promise<MadeAsset> {
  if (bytes.length > largestSvg) throw fail('limit_exceeded', { what: 'The SVG', max: `${largestSvg} bytes` });
  const clean = sanitizeSvg(bytes.toString('utf8'));
  if (clean === undefined) throw unsupported('XML that is no SVG');
  const drawing = Buffer.from(clean);
  const { width, height } = await readDimensions(drawing);
  // What cannot be drawn in a few seconds here would hold up readers' browsers, too.
  await drawingPicture(drawing, 64);
  return made('image/svg+xml', drawing, { width, height });
}

/** A drawing as PNG, at most so wide and high. */
async function drawingPicture(bytes: Buffer, side: number): Promise<Buffer> {
  return readable((await openImage(bytes)).resize(side, side, { fit: 'inside' }).png().toBuffer());
}

function made(type: AssetType, bytes: Buffer, size: { width?: number; height?: number } = {}): MadeAsset {
  const hash = sha256Of(bytes);
  return {
    facts: { type, hash, bytes: bytes.length, ...size, renditions: [] },
    files: [{ key: blobKey(hash), bytes }],
  };
}

/** A small picture of an image for whoever wants to look at it: at most 512 pixels wide and high. */
export async function makePreview(
  bytes: Buffer,
  type: AssetType,
): Promise<{ mimeType: 'image/png' | 'image/webp'; bytes: Buffer }> {
  if (type === 'image/svg+xml') return { mimeType: 'image/png', bytes: await drawingPicture(bytes, 512) };
  const small = (await openImage(bytes)).resize(512, 512, { fit: 'inside', withoutEnlargement: true });
  return { mimeType: 'image/webp', bytes: await readable(small.webp({ quality: 75 }).toBuffer()) };
}
