import { setTimeout as sleep } from 'node:timers/promises';
import type { Stop } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import { CloudhalError } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import type { GuardedFetch } from '../fetch/guarded-fetch.ts';

type CheckDeps = { database: Database; fetch: GuardedFetch; log: Pick<Log, 'warn'>; signal?: AbortSignal };
type Claimed = { siteId: string; url: string };
type Checked = Claimed & { problem: string | undefined };

const batch = 20;
const everyMs = 60_000;
const hourMs = 3_600_000;
const unreachable = 'It cannot be reached.';

/** Looks at links to other sites, a few at a time, for as long as the worker runs; any number of workers may. */
export function startLinkChecks(deps: Omit<CheckDeps, 'signal'>): Stop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    let findAt = performance.now();
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (performance.now() >= findAt) {
          await findLinks(deps.database);
          findAt = performance.now() + hourMs;
        }
        await checkLinks({ ...deps, signal });
      } catch (error) {
        deps.log.warn({ err: error }, 'links to other sites could not be checked');
      }
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Takes the links of what is live onto the list, and those that are gone off it. */
export async function findLinks(database: Database): Promise<void> {
  await database.query(
    `INSERT INTO tools.external_link (site_id, url)
     SELECT DISTINCT site_id, target FROM tools.edge WHERE track = 'live' AND target LIKE 'http%' ON CONFLICT DO NOTHING`,
  );
  await database.query(
    `DELETE FROM tools.external_link l WHERE NOT EXISTS (
       SELECT FROM tools.edge e WHERE e.site_id = l.site_id AND e.track = 'live' AND e.target = l.url)`,
  );
}

/** Looks at the links that are due, and says how many. A host is asked for one at a time. */
export async function checkLinks({ database, fetch, signal }: CheckDeps): Promise<number> {
  const claimed = await database.query<Claimed>(
    // Whoever claims them and dies leaves them to others in an hour.
    `UPDATE tools.external_link SET due_at = clock_timestamp() + interval '1 hour' WHERE (site_id, url) IN (
       SELECT site_id, url FROM tools.external_link WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT $1
       FOR UPDATE SKIP LOCKED)
     RETURNING site_id AS "siteId", url`,
    [batch],
  );
  const hosts = new Map<string, Claimed[]>();
  for (const link of claimed) {
    const { host } = new URL(link.url);
    hosts.set(host, [...(hosts.get(host) ?? []), link]);
  }
  const checked = (
    await Promise.all(
      [...hosts.values()].map(async (links) => {
        const results: Checked[] = [];
        for (const link of links) results.push({ ...link, problem: await problemOf(fetch, link.url, signal) });
        return results;
      }),
    )
  ).flat();
  // Where nothing at all can be reached it is we who are cut off.
  const isCutOff = hosts.size >= 3 && checked.every(({ problem }) => problem === unreachable);
  if (!isCutOff && !signal?.aborted) await store(database, checked);
  return claimed.length;
}

async function problemOf(fetch: GuardedFetch, url: string, signal?: AbortSignal): Promise<string | undefined> {
  const options = { maxBytes: 0, ...(signal && { signal }) };
  try {
    let { status } = await fetch(url, { ...options, method: 'HEAD' });
    // Some servers know only how to give the whole.
    if (status >= 400) ({ status } = await fetch(url, options));
    // Who asks for a sign-in, or has had enough of programs, is there.
    return status === 404 || status === 410 || status >= 500 ? `It answers ${status}.` : undefined;
  } catch (error) {
    if (error instanceof CloudhalError && error.code === 'fetch_blocked') return error.body.message;
    return unreachable;
  }
}

/** What works is looked at again in a week; what does not, in an hour, and from the second time on once a day. */
async function store(database: Database, checked: readonly Checked[]): Promise<void> {
  await database.query(
    `UPDATE tools.external_link l SET checks = checks + 1, problem = c.problem, checked_at = clock_timestamp(),
       failures = CASE WHEN c.problem IS NULL THEN 0 ELSE l.failures + 1 END,
       due_at = clock_timestamp() + CASE WHEN c.problem IS NULL THEN interval '7 days'
         WHEN l.failures = 0 THEN interval '1 hour' ELSE interval '1 day' END
     FROM unnest($1::text[], $2::text[], $3::text[]) AS c (site_id, url, problem)
     WHERE l.site_id = c.site_id AND l.url = c.url`,
    [checked.map(({ siteId }) => siteId), checked.map(({ url }) => url), checked.map(({ problem }) => problem ?? null)],
  );
}
