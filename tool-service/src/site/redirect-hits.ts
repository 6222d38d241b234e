import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';

/** Counts how often redirects are followed, in memory, and adds the counts up in the store now and then. */
export type RedirectHits = {
  count(site: string, redirect: string): void;
  /** Stores what was counted; where that fails it is kept for the next time. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

const everyMs = 5_000;

/** A reader's request costs no transaction; what a worker that dies had not stored yet is lost, a few seconds of it. */
export function countRedirectHits(database: Pick<Database, 'query'>, log: Pick<Log, 'warn'>): RedirectHits {
  let counts = new Map<string, { site: string; redirect: string; hits: number }>();
  let storing: Promise<void> = Promise.resolve();

  function add(site: string, redirect: string, hits: number): void {
    const key = `${site} ${redirect}`;
    counts.set(key, { site, redirect, hits: (counts.get(key)?.hits ?? 0) + hits });
  }

  async function store(): Promise<void> {
    const taken = [...counts.values()];
    counts = new Map();
    if (taken.length === 0) return;
    try {
      await database.query(
        `INSERT INTO tools.redirect_hit AS h (site_id, node_id, hits, last_at)
         SELECT c.site, c.redirect, c.hits, clock_timestamp() FROM unnest($1::text[], $2::text[], $3::bigint[]) AS c (site, redirect, hits)
         ORDER BY 1, 2
         ON CONFLICT (site_id, node_id) DO UPDATE SET hits = h.hits + excluded.hits, last_at = excluded.last_at`,
        [taken.map(({ site }) => site), taken.map(({ redirect }) => redirect), taken.map(({ hits }) => hits)],
      );
    } catch (error) {
      log.warn({ err: error }, 'hits of redirects could not be stored yet');
      for (const { site, redirect, hits } of taken) add(site, redirect, hits);
    }
  }

  function flush(): Promise<void> {
    storing = storing.then(store);
    return storing;
  }

  const timer = setInterval(flush, everyMs);
  timer.unref();
  return {
    count: (site, redirect) => add(site, redirect, 1),
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
