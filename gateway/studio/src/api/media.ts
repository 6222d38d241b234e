import type { ToolResult } from '@cloudhal/shared/tool';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { gatewayUrl } from './base.ts';
import { sendFile } from './client.ts';
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

export type AssetWords = { alt?: string; credit?: string; licence?: string };

export const describeAsset = (site: string, { id, rev }: Asset, locale: string, set: AssetWords) =>
  callTool<object>('update_asset', { site, asset: id, rev, locale, set });

/** Sends a file to its one-time address, and makes an asset of it; the same bytes are the same asset. */
export async function addAsset(site: string, file: File, words: AssetWords): Promise<void> {
  const bytes = await file.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const { name: filename, size, type: mime } = file;
  const asked = { site, filename, mime, bytes: size, sha256 };
  const { data } = await callTool<{ uploadId: string; url: string }>('start_asset_upload', asked);
  await sendFile(gatewayUrl(data.url.replace(/^.*\/(uploads\/[^/?#]+).*$/, '$1')), bytes);
  await callTool<object>('upload_asset', { site, filename, uploadId: data.uploadId, alt: '', ...words });
}
