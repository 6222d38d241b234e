import { createHash } from 'node:crypto';
import { type BlobStore, uploadKey } from '@cloudhal/shared/blobs/blob-store';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import express, { type Request, type Router } from 'express';
import { limiterAddress } from '../client-address.ts';
import type { RateLimiter } from '../rate-limit.ts';

export type UploadDeps = { database: Database; blobs: BlobStore; log: Log; limiter: RateLimiter };

/** `PUT /uploads/<token>`: the bytes that `start_asset_upload` announced, once, straight into the store of files. */
export function uploadRoutes({ database, blobs, log, limiter }: UploadDeps): Router {
  const router = express.Router();

  router.put('/:token', async (request: Request<{ token: string }>, response) => {
    response.setHeader('Cache-Control', 'no-store');
    await limiter.take('page', limiterAddress(request.ip));
    const upload = await claim(database, request.params.token, Number(request.headers['content-length'] ?? Number.NaN));
    try {
      await blobs.write(uploadKey(upload.id), request, upload);
    } catch (error) {
      // Who hung up waits for no answer.
      if (request.errored) return;
      throw error;
    }
    await database.query('UPDATE media.upload SET stored_at = clock_timestamp() WHERE id = $1', [upload.id]);
    log.info({ uploadId: upload.id, bytes: upload.bytes }, 'a file was uploaded');
    response.status(201).json({
      uploadId: upload.id,
      bytes: upload.bytes,
      sha256: upload.sha256,
      next: `Call upload_asset with uploadId ${upload.id}.`,
    });
  });

  return router;
}

/** Takes the address, which nobody can use again; one of another length does not spend it. */
async function claim(database: Database, token: string, announced: number) {
  const hash = createHash('sha256').update(token.slice(0, 256)).digest();
  const [open] = await database.query<{ bytes: number }>(
    `SELECT bytes FROM media.upload
     WHERE token_hash = $1 AND claimed_at IS NULL AND expires_at > clock_timestamp()`,
    [hash],
  );
  if (!open) throw fail('link_invalid');
  if (Number.isNaN(announced))
    throw fail('validation_failed', { path: 'Content-Length', expected: String(open.bytes) });
  if (announced > open.bytes) throw fail('payload_too_large', { max: open.bytes });
  if (announced < open.bytes)
    throw fail('validation_failed', { path: 'content', expected: `${open.bytes} bytes, as announced` });
  const [claimed] = await database.query<{ id: string; bytes: number; sha256: string }>(
    `UPDATE media.upload SET claimed_at = clock_timestamp()
     WHERE token_hash = $1 AND claimed_at IS NULL AND expires_at > clock_timestamp() RETURNING id, bytes, sha256`,
    [hash],
  );
  if (!claimed) throw fail('link_invalid');
  return claimed;
}
