import { createHash, randomBytes } from 'node:crypto';
import { type BlobStore, blobKey, pieces, readWhole, sha256Of, uploadKey } from '@cloudhal/shared/blobs/blob-store';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import { publicAddress } from '@cloudhal/shared/public-address';
import type { MadeAsset } from './make-asset.ts';

export type UploadWish = { site: string; principal: string; mime: string; bytes: number; sha256: string };

/** Files beside the graph. */
export type MediaStore = {
  /** Bytes that one file may have. */
  maxBytes: number;
  /** A one-time address to send a file to. */
  openUpload(wish: UploadWish): Promise<{ uploadId: string; url: string; expiresAt: string }>;
  /** What was sent to it, by whoever asked for it; `not_found` until all of it is there. */
  readUpload(id: string, of: Pick<UploadWish, 'site' | 'principal'>): Promise<{ bytes: Buffer; mime: string }>;
  /** Stores what was made; nothing where it is there already. */
  keep(files: MadeAsset['files']): Promise<void>;
  /** By hash. */
  read(hash: string): Promise<Buffer>;
};

const addressMinutes = 30;
/** An upload is there for an asset to be made of it for so long after its address ended. */
const keptHours = 24;
/** Files that one key or person may have open at once: what nobody makes assets of fills no disk. */
const mostOpen = 100;

export function createMediaStore(
  { database, blobs }: { database: Database; blobs: BlobStore },
  { publicUrl, maxBytes }: { publicUrl: string; maxBytes: number },
): MediaStore {
  return {
    maxBytes,
    async openUpload({ site, principal, mime, bytes, sha256 }) {
      const [uploadId, secret] = [newId('up'), randomBytes(32).toString('base64url')];
      const [row] = await database.query<{ expires_at: Date }>(
        `INSERT INTO media.upload (id, token_hash, site_id, principal, mime, bytes, sha256, expires_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, clock_timestamp() + $8::float8 * interval '1 minute'
         WHERE (SELECT count(*) FROM media.upload WHERE principal = $4 AND used_at IS NULL) < $9 RETURNING expires_at`,
        [
          ...[uploadId, createHash('sha256').update(secret).digest(), site, principal, mime, bytes, sha256],
          ...[addressMinutes, mostOpen],
        ],
      );
      if (!row) throw fail('limit_exceeded', { what: 'Open uploads (upload_asset uses them up)', max: mostOpen });
      const url = publicAddress(publicUrl, `/uploads/${secret}`);
      return { uploadId, url, expiresAt: row.expires_at.toISOString() };
    },
    async readUpload(id, { site, principal }) {
      const [row] = await database.query<{ mime: string }>(
        `SELECT mime FROM media.upload WHERE id = $1 AND site_id = $2 AND principal = $3
           AND stored_at IS NOT NULL AND used_at IS NULL`,
        [id, site, principal],
      );
      const blob = row && (await blobs.read(uploadKey(id)));
      if (!blob) throw fail('not_found', { what: 'finished upload', id });
      return { bytes: await readWhole(blob, maxBytes), mime: row.mime };
    },
    async keep(files) {
      for (const { key, bytes } of files) {
        if (await blobs.has(key)) continue;
        await blobs.write(key, pieces(bytes), { bytes: bytes.length, sha256: sha256Of(bytes) });
      }
    },
    async read(hash) {
      const blob = await blobs.read(blobKey(hash));
      if (!blob) throw fail('not_found', { what: 'file', id: hash });
      return readWhole(blob, maxBytes * 2);
    },
  };
}

/** Forgets uploads that were used, and those that nobody will use any more. */
export async function sweepUploads(database: Database, blobs: BlobStore): Promise<void> {
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM media.upload WHERE used_at IS NOT NULL
       OR expires_at < clock_timestamp() - $1::float8 * interval '1 hour' LIMIT 200`,
    [keptHours],
  );
  for (const { id } of rows) {
    await blobs.remove(uploadKey(id));
    await database.query('DELETE FROM media.upload WHERE id = $1', [id]);
  }
}
