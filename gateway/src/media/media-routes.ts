import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobStore, blobKey } from '@cloudhal/shared/blobs/blob-store';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { type MediaFile, previewMedia, siteMedia } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import express, { type Request, type Response, type Router } from 'express';
import type { Static } from 'typebox';
import { ask } from '../http/ask.ts';

type Params = { asset: string; file: string };

const files = /^[0-9a-f]{64}\.[a-z]{3,4}$/;
/** A file is looked at by itself, runs nothing and loads nothing; a drawing brings its own presentation attributes. */
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** Files of sites: tool-service says whether this reader may have it, and the store of files has the bytes. */
export function mediaRoutes(bus: Bus, blobs: BlobStore): Router {
  const router = express.Router();

  router.get('/sites/:slug/media/:asset/:file', async (request: Request<Params & { slug: string }>, response, next) => {
    const { slug: site, asset, file } = request.params;
    if (!files.test(file)) return next();
    const found = await ask(bus, siteMedia, { site, asset, file }, 'tool_unavailable');
    // The name holds the hash, so what it stands for never changes.
    await send(blobs, found, request, response, { 'Cache-Control': 'public, max-age=31536000, immutable' });
  });

  router.get('/preview/:token/media/:asset/:file', async (request: Request<Params & { token: string }>, response) => {
    const { token, asset, file } = request.params;
    if (!files.test(file) || token.length > 1024) throw fail('not_found', { what: 'file', id: '…' });
    const found = await ask(bus, previewMedia, { token, asset, file }, 'tool_unavailable');
    const headers = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex, nofollow, noarchive' };
    await send(blobs, found, request, response, headers);
  });

  return router;
}

async function send(
  blobs: BlobStore,
  { hash, type, filename }: Static<typeof MediaFile>,
  request: Request,
  response: Response,
  headers: Record<string, string>,
): Promise<void> {
  const etag = `"${hash}"`;
  const isKnown = request.headers['if-none-match']?.includes(etag) ?? false;
  const blob = isKnown ? undefined : await blobs.read(blobKey(hash));
  if (!isKnown && !blob) throw fail('not_found', { what: 'file', id: hash });
  response.set({
    ...headers,
    ETag: etag,
    'Content-Security-Policy': filePolicy,
    // Pages are shown in an origin of their own (sandbox), to which this host is another.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  if (!blob) return void response.status(304).end();
  response.set({
    'Content-Type': type,
    'Content-Length': String(blob.bytes),
    'Content-Disposition': `${type.startsWith('image/') ? 'inline' : 'attachment'}; filename="${filename}"`,
  });
  if (request.method === 'HEAD') return void response.end();
  await pipeline(Readable.from(blob.content), response);
}
