import type { ToolResult } from '@cloudhal/shared/tool';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { gatewayUrl } from './base.ts';
import { type Sending, sendFile } from './client.ts';
import { callTool } from './tools.ts';

export type Asset = {
  id: string;
  rev: number;
  filename: string;
  type: string;
  bytes: number;
  width?: number;
  height?: number;
  alt: Record<string, string>;
  missingAlt?: string[];
  credit?: string;
  licence?: string;
  uses: number;
};
/** What can be said of it, and what names it. */
export type AssetHead = Omit<Asset, 'missingAlt' | 'uses'>;
type Words = Pick<Asset, 'filename' | 'alt' | 'credit' | 'licence'>;
/** What is said of files that nobody has looked at comes apart. */
type Apart = { untrusted?: (Words & { id: string })[] };
type Known<A> = Omit<A, keyof Words> & Partial<Words>;
export type ListedAssets<A extends Asset = Asset> = Apart & { assets: Known<A>[] };
export type AssetFilter = { q: string; missingAlt: boolean };

export const assetsQuery = (site: string, { q, missingAlt }: AssetFilter) =>
  infiniteQueryOptions({
    queryKey: ['sites', site, 'assets', q, missingAlt],
    queryFn: async ({ pageParam }) => {
      const asked = {
        ...(q && { q }),
        ...(missingAlt && { missingAlt }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      };
      const { data, cursor } = await callTool<ListedAssets>('list_assets', { site, limit: 24, ...asked });
      return { assets: wholeAssets(data), cursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

export function wholeAssets<A extends AssetHead>({ assets, untrusted = [] }: Apart & { assets: Known<A>[] }): A[] {
  const apart = new Map(untrusted.map((words) => [words.id, words]));
  return assets.map((asset) => ({ ...asset, ...apart.get(asset.id) }) as A);
}

/** A small picture of an image, as an address that needs no other request. The bytes of an asset never change. */
export const thumbnailQuery = (site: string, asset: string) =>
  queryOptions({
    queryKey: ['thumbnail', site, asset],
    queryFn: async () => {
      const { images }: ToolResult = await callTool<object>('get_asset', { site, asset, preview: true });
      const [image] = images ?? [];
      return image ? `data:${image.mimeType};base64,${image.base64}` : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * What is said of a file. Of the locales, those that are to change: an empty description is of what only decorates, and
 * `undefined` takes it out. An empty credit or licence is taken out, too.
 */
export type AssetWords = { alt: Record<string, string | undefined>; credit?: string; licence?: string };

/** Changes what is said of a file: one change, and one more for each further locale. */
export async function describeAsset(
  site: string,
  { id, rev }: Pick<Asset, 'id' | 'rev'>,
  { alt, ...others }: AssetWords,
): Promise<void> {
  const set = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''));
  const unset = Object.keys(others).filter((name) => !(name in set));
  const changes = Object.entries(alt).map(([locale, text]) =>
    text === undefined ? { locale, set, unset: [...unset, 'alt'] } : { locale, set: { ...set, alt: text }, unset },
  );
  let at = rev;
  for (const change of changes.length > 0 || Object.keys(others).length === 0 ? changes : [{ set, unset }]) {
    const { data } = await callTool<{ rev: number }>('update_asset', { site, asset: id, rev: at, ...change });
    at = data.rev;
  }
}

export async function readAsset(site: string, asset: string): Promise<AssetHead> {
  const { data } = await callTool<Known<AssetHead> & Apart>('get_asset', { site, asset });
  return wholeAssets<AssetHead>({ assets: [data], ...data })[0]!;
}

type NewAsset = { file: File; words: AssetWords; defaultLocale: string };

/**
 * Sends a file to its one-time address, and makes an asset of it. The same bytes are the same asset: where they are one
 * already nothing is changed, and it resolves to that one.
 */
export async function addAsset(
  site: string,
  { file, words, defaultLocale }: NewAsset,
  sending: Sending,
): Promise<AssetHead | undefined> {
  const bytes = await file.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const { name: filename, size, type: mime } = file;
  const asked = { site, filename, mime, bytes: size, sha256 };
  const { data } = await callTool<{ uploadId: string; url: string }>('start_asset_upload', asked);
  sending.signal.throwIfAborted();
  await sendFile(gatewayUrl(data.url.replace(/^.*\/(uploads\/[^/?#]+).*$/, '$1')), bytes, sending);
  const {
    alt: { [defaultLocale]: alt, ...others },
    credit,
    licence,
  } = words;
  const said = { alt: alt ?? '', ...(credit && { credit }), ...(licence && { licence }) };
  const { data: made, changed } = await callTool<Pick<Asset, 'id' | 'rev' | 'type'>>('upload_asset', {
    site,
    filename,
    uploadId: data.uploadId,
    ...said,
  });
  if (!changed) return readAsset(site, made.id);
  // The tool wants a description at once; that there is none yet is not that it only decorates.
  if (alt === undefined && made.type.startsWith('image/')) others[defaultLocale] = undefined;
  if (Object.keys(others).length > 0) await describeAsset(site, made, { alt: others });
  return undefined;
}
