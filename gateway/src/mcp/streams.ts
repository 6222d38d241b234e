import type { ServerResponse } from 'node:http';
import { fail } from '@cloudhal/shared/errors';
import type { Principal } from '@cloudhal/shared/policy';

/** The open `subscriptions/listen` streams of this replica, by key, so that a revoked key's can be cut. */
export type Streams = {
  /** Counts a stream in until its response closes; `rate_limited` beyond what one principal may have. */
  open(principal: Principal, res: ServerResponse): void;
  drop(keyId: string): void;
};

export function createStreams(maxEach = 10): Streams {
  const streams = new Map<string, Set<ServerResponse>>();
  return {
    open(principal, res) {
      const key = principal.keyId ?? principal.id;
      const open = streams.get(key) ?? new Set();
      if (open.size >= maxEach) throw fail('rate_limited', { limit: `${maxEach} open streams`, retryAfter: 60 });
      streams.set(key, open.add(res));
      res.once('close', () => {
        open.delete(res);
        if (open.size === 0) streams.delete(key);
      });
    },
    drop(keyId) {
      for (const res of streams.get(keyId) ?? []) res.destroy();
    },
  };
}
