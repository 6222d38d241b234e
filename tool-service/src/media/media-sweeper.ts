import { setTimeout as sleep } from 'node:timers/promises';
import type { BlobStore } from '@cloudhal/shared/blobs/blob-store';
import { sweepChunks } from '@cloudhal/shared/blobs/postgres-blobs';
import type { Stop } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';
import { sweepUploads } from './media-store.ts';

const everyMs = 600_000;

/** Clears away uploads that nobody needs any more; any number of workers may do so at once. */
export function startMediaSweeper({ database, blobs, log }: { database: Database; blobs: BlobStore; log: Log }): Stop {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await sweepUploads(database, blobs);
        await sweepChunks(database);
      } catch (error) {
        log.warn({ err: error }, 'old uploads could not be cleared away');
      }
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
