import { randomUUID } from 'node:crypto';
import { type Database, isUniqueViolation } from '../database.ts';
import { type BlobStore, verified } from './blob-store.ts';

const chunkBytes = 256 * 1024;

/** Blobs as rows of at most 256 KiB, so that neither side ever holds a whole file. Unfinished ones are cleared by `sweepChunks`. */
export function createPostgresBlobs(database: Database): BlobStore {
  async function has(key: string): Promise<boolean> {
    const [row] = await database.query('SELECT 1 FROM media.object WHERE key = $1', [key], { name: 'has_object' });
    return row !== undefined;
  }

  return {
    async write(key, content, expected) {
      const id = randomUUID();
      let chunks = 0;
      for await (const chunk of inChunks(verified(content, expected))) {
        await database.query('INSERT INTO media.chunk (content, n, data) VALUES ($1, $2, $3)', [id, chunks++, chunk], {
          name: 'insert_chunk',
        });
      }
      try {
        await database.query('INSERT INTO media.object (key, content, bytes, chunks) VALUES ($1, $2, $3, $4)', [
          key,
          id,
          expected.bytes,
          chunks,
        ]);
      } catch (error) {
        // Somebody else stored the same; these chunks belong to nobody and are swept.
        if (!isUniqueViolation(error, 'object_pkey')) throw error;
      }
    },
    async read(key) {
      const [row] = await database.query<{ content: string; bytes: number; chunks: number }>(
        'SELECT content, bytes, chunks FROM media.object WHERE key = $1',
        [key],
        { name: 'object' },
      );
      return row && { bytes: row.bytes, content: chunksOf(database, row) };
    },
    has,
    async remove(key) {
      await database.query(
        `WITH gone AS (DELETE FROM media.object WHERE key = $1 RETURNING content)
         DELETE FROM media.chunk c USING gone WHERE c.content = gone.content`,
        [key],
      );
    },
    close: async () => undefined,
  };
}

/** Clears what a transfer that broke, or came second, left behind. */
export async function sweepChunks(database: Database, olderThanHours = 24): Promise<void> {
  await database.query(
    `DELETE FROM media.chunk WHERE content IN (
       SELECT c.content FROM media.chunk c WHERE c.n = 0
         AND c.created_at < clock_timestamp() - $1::float8 * interval '1 hour'
         AND NOT EXISTS (SELECT FROM media.object o WHERE o.content = c.content) LIMIT 100)`,
    [olderThanHours],
  );
}

async function* chunksOf(database: Database, { content, chunks }: { content: string; chunks: number }) {
  for (let n = 0; n < chunks; n++) {
    const [row] = await database.query<{ data: Buffer }>(
      'SELECT data FROM media.chunk WHERE content = $1 AND n = $2',
      [content, n],
      { name: 'chunk' },
    );
    if (!row) throw new Error('A chunk of a stored file is missing.');
    yield row.data;
  }
}

/** Pieces of any size as chunks of the size that is stored. */
async function* inChunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const piece of content) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + chunkBytes - held);
      parts.push(part);
      held += part.length;
      at += part.length;
      if (held < chunkBytes) continue;
      yield Buffer.concat(parts);
      parts = [];
      held = 0;
    }
  }
  if (held > 0) yield Buffer.concat(parts);
}
