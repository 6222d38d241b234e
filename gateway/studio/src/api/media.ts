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
      const { data, cursor } = await callTool<{ assets: Asset[] }>('list_assets', { site, limit: 24, ...asked });
      return { assets: data.assets, cursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });

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

/** What is said of a file, where it shows something by locale; an empty credit or licence is taken out. */
export type AssetWords = { alt: Record<string, string>; credit?: string; licence?: string };

/** Changes what is said of a file: one change, and one more for each further locale. */
export async function describeAsset(
  site: string,
  { id, rev }: Pick<Asset, 'id' | 'rev'>,
  { alt, ...others }: AssetWords,
): Promise<void> {
  const set = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''));
  const unset = Object.keys(others).filter((name) => !(name in set));
  const texts = Object.entries(alt).map(([locale, text]) => ({ locale, set: { ...set, alt: text } }));
  let at = rev;
  for (const change of texts.length > 0 ? texts : [{ set }]) {
    const { data } = await callTool<{ rev: number }>('update_asset', { site, asset: id, rev: at, unset, ...change });
    at = data.rev;
  }
}

type NewAsset = { file: File; words: AssetWords; defaultLocale: string };

/** Sends a file to its one-time address, and makes an asset of it; the same bytes are the same asset. */
export async function addAsset(
  site: string,
  { file, words, defaultLocale }: NewAsset,
  sending: Sending,
): Promise<void> {
  const bytes = await file.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const { name: filename, size, type: mime } = file;
  const asked = { site, filename, mime, bytes: size, sha256 };
  const { data } = await callTool<{ uploadId: string; url: string }>('start_asset_upload', asked);
  sending.signal.throwIfAborted();
  await sendFile(gatewayUrl(data.url.replace(/^.*\/(uploads\/[^/?#]+).*$/, '$1')), bytes, sending);
  const {
    alt: { [defaultLocale]: alt = '', ...others },
    credit,
    licence,
  } = words;
  const said = { alt, ...(credit && { credit }), ...(licence && { licence }) };
  const made = await callTool<Pick<Asset, 'id' | 'rev'>>('upload_asset', {
    site,
    filename,
    uploadId: data.uploadId,
    ...said,
  });
  if (Object.keys(others).length > 0) await describeAsset(site, made.data, { alt: others });
}
