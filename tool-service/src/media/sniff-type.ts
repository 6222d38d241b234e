import { fail } from '@cloudhal/shared/errors';
import { type AssetType, assetTypes } from '@cloudhal/shared/site/asset';
import { fileTypeFromBuffer } from 'file-type';
import { isSvg } from './sanitize-svg.ts';

/** What can be taken in: the types of assets, and AVIF, which becomes WebP. */
export type SourceType = AssetType | 'image/avif';

const accepted: readonly SourceType[] = [...assetTypes, 'image/avif'];

/** What the bytes are, whatever was said about them. Anything that a site has no use for is `unsupported_media`. */
export async function sniffType(bytes: Buffer): Promise<SourceType> {
  const found = await fileTypeFromBuffer(bytes);
  const type = found === undefined || found.mime === 'application/xml' ? svgType(bytes) : found.mime;
  const known = accepted.find((one) => one === type);
  if (known === undefined) throw unsupported(type ?? 'unknown');
  return known;
}

/** Whether a file that is said to be of this type may be worth sending. */
export function isAccepted(type: string): boolean {
  return accepted.some((one) => one === type);
}

export function unsupported(found: string) {
  return fail('unsupported_media', { found, accepted: accepted.join(', ') });
}

/** Only a guess that it is worth parsing: the sanitizer decides. */
function svgType(bytes: Buffer): string | undefined {
  return isSvg(bytes.subarray(0, 64 * 1024).toString('utf8')) ? 'image/svg+xml' : undefined;
}
