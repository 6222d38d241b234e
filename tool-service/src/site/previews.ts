import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { publicAddress } from '@cloudhal/shared/public-address';
import type { Capabilities, PreviewGrant } from '../capabilities.ts';

/** A preview link's grant, and when it ends. */
export type OpenPreview = PreviewGrant & { expiresAt: Date };

/** Makes private links. The link holds the only copy of its secret; the store knows its hash. */
export function createPreviews(database: Database, publicUrl: string): Capabilities['previews'] {
  return {
    async mint({ site, node, track, snapshot, release }, minutes) {
      const secret = randomBytes(32).toString('base64url');
      const [row] = await database.query<{ expires_at: Date }>(
        `INSERT INTO tools.preview (secret_hash, site_id, node_id, track, snapshot, release, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7::float8 * interval '1 minute') RETURNING expires_at`,
        [hashOf(secret), site, node, track, snapshot ?? null, release ?? null, minutes],
      );
      return { url: publicAddress(publicUrl, `/preview/${secret}`), expiresAt: row!.expires_at.toISOString() };
    },
  };
}

/** What a link shows; `not_found` once it has expired, and for whatever never was one. */
export async function openPreview(database: Database, secret: string): Promise<OpenPreview> {
  const [row] = await database.query<{
    site: string;
    node: string;
    track: OpenPreview['track'];
    snapshot: string | null;
    release: string | null;
    expiresAt: Date;
  }>(
    `SELECT site_id AS site, node_id AS node, track, snapshot, release, expires_at AS "expiresAt"
     FROM tools.preview WHERE secret_hash = $1 AND expires_at > clock_timestamp()`,
    [hashOf(secret)],
    { name: 'preview' },
  );
  if (!row) throw fail('not_found', { what: 'preview', id: '…' });
  const { snapshot, release, ...preview } = row;
  return { ...preview, ...(snapshot !== null && { snapshot }), ...(release !== null && { release }) };
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
