import { createHmac, randomBytes } from 'node:crypto';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { type PageHit, siteHits } from '@cloudhal/shared/contracts';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import type { Request } from 'express';
import { isbot } from 'isbot';
import type { Static } from 'typebox';
import { limiterAddress } from '../client-address.ts';

type Hit = Static<typeof PageHit>;
type Counted = Omit<Hit, 'visitors' | 'referrers'> & { visitors: Set<string>; referrers: Map<string, number> };

export type Hits = {
  /** Counts a page that was served, or that was not there. Never throws, and keeps nobody waiting. */
  count(
    request: Pick<Request, 'headers' | 'method' | 'ip'>,
    place: { site: string; path: string },
    status: number,
  ): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
};

/** So many pages, and visitors of them, go into one message. */
const most = 1_000;
const hour = 3_600_000;

/**
 * Counts what readers look at, without knowing who they are: by site, day, path and the host that they came from. Visitors
 * of one day are told apart by a hash whose key exists for that day only and is kept nowhere but in the small shared state;
 * who asks not to be tracked is not. Programs are not counted. A batch that cannot be delivered is lost, not sent twice.
 */
export function countHits(deps: { bus: Bus; keyValue: KeyValue; log: Log; everyMs?: number; now?: () => Date }): Hits {
  const { bus, keyValue, log, everyMs = 10_000, now = () => new Date() } = deps;
  let counts = new Map<string, Counted>();
  let size = 0;
  let key: { day: string; bytes: Buffer | undefined } | undefined;
  let isReading = false;

  /** The key of the day, the same on every replica; read ahead, so that no page waits for it. */
  function dayKey(day: string): Buffer | undefined {
    if (key?.day === day) return key.bytes;
    if (!isReading) {
      isReading = true;
      void readKey(day).finally(() => {
        isReading = false;
      });
    }
    return undefined;
  }
  async function readKey(day: string): Promise<void> {
    const name = `hit-key:${day}`;
    try {
      await keyValue.compareAndSet(name, undefined, randomBytes(32).toString('base64url'), { ttlMs: 25 * hour });
      const text = await keyValue.get(name);
      if (text !== undefined) key = { day, bytes: Buffer.from(text, 'base64url') };
    } catch (error) {
      log.debug({ err: error }, 'visitors cannot be told apart at the moment');
    }
  }

  function add(
    { headers, ip }: Pick<Request, 'headers' | 'ip'>,
    { site, path }: { site: string; path: string },
    found: boolean,
  ) {
    const day = now().toISOString().slice(0, 10);
    const name = JSON.stringify([site, day, path, found]);
    const counted = counts.get(name) ?? { site, day, path, found, views: 0, visitors: new Set(), referrers: new Map() };
    if (counted.views === 0) size++;
    counts.set(name, counted);
    counted.views++;
    if (!found) return;
    const secret = headers['sec-gpc'] === '1' || headers.dnt === '1' ? undefined : dayKey(day);
    if (secret) {
      const who = `${site}\n${limiterAddress(ip)}\n${headers['user-agent']}`;
      counted.visitors.add(createHmac('sha256', secret).update(who).digest().subarray(0, 12).toString('base64url'));
    }
    const host = referrerHost(headers.referer, headers.host);
    if (host !== undefined) counted.referrers.set(host, (counted.referrers.get(host) ?? 0) + 1);
    size++;
  }

  async function flush(): Promise<void> {
    if (counts.size === 0) return;
    const hits = [...counts.values()].map(
      ({ visitors, referrers, ...hit }): Hit => ({
        ...hit,
        visitors: [...visitors],
        referrers: [...referrers].map(([host, views]) => ({ host, views })),
      }),
    );
    counts = new Map();
    size = 0;
    try {
      await bus.request(siteHits, { hits }, { timeoutMs: 5_000 });
    } catch (error) {
      log.warn({ err: error, pages: hits.length }, 'figures of some seconds were lost');
    }
  }

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    count(request, place, status) {
      const { headers, method } = request;
      const agent = headers['user-agent'];
      const ahead = /prefetch|prerender/i.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''));
      if (method !== 'GET' || ahead || (status !== 200 && status !== 404) || !agent || isbot(agent)) return;
      add(request, place, status === 200);
      if (size >= most) void flush();
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** The host of another site that led here; nothing else of the address is looked at. */
export function referrerHost(referrer: string | undefined, own: string | undefined): string | undefined {
  if (referrer === undefined || !URL.canParse(referrer)) return undefined;
  const { protocol, host, hostname } = new URL(referrer);
  const plain = hostname.replace(/^www\./, '');
  const isName = plain.length <= 100 && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(plain);
  return /^https?:$/.test(protocol) && host !== own?.toLowerCase() && isName ? plain : undefined;
}
