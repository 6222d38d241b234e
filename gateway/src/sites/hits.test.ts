import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { type PageHit, siteHits } from '@cloudhal/shared/contracts';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { createLog } from '@cloudhal/shared/log';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';
import type { Static } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countHits, type Hits, referrerHost } from './hits.ts';

const log = createLog('gateway', { level: 'silent' });
const bus = createInProcessBus({ log });
let store: TestDatabase;
let keyValue: KeyValue;
let taken: Static<typeof PageHit>[] = [];
const made: Hits[] = [];

beforeAll(async () => {
  store = await testDatabase();
  keyValue = await createPostgresKeyValue(store.database);
  await bus.answer(siteHits, async ({ hits }) => {
    taken.push(...hits);
    return {};
  });
});
afterEach(async () => {
  for (const hits of made.splice(0)) await hits.stop();
  taken = [];
});
afterAll(async () => {
  await bus.close();
  await keyValue.close();
  await store.drop();
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const place = { site: 'seals', path: '/about' };
const request = (headers: object = {}, more: object = {}) => ({
  method: 'GET',
  ip: '203.0.113.7',
  headers: { host: 'example.com', 'user-agent': firefox, ...headers },
  ...more,
});

/** A counter that has the key of its day. */
async function counter(day = '2026-03-02', kept = keyValue): Promise<Hits> {
  const hits = countHits({ bus, keyValue: kept, log, now: () => new Date(`${day}T12:00:00Z`) });
  made.push(hits);
  hits.count(request(), { site: 'warm', path: '/' }, 200);
  await expect
    .poll(async () => {
      hits.count(request(), { site: 'warm', path: '/' }, 200);
      await hits.flush();
      return kept !== keyValue || taken.some(({ visitors }) => visitors.length > 0);
    })
    .toBe(true);
  taken = [];
  return hits;
}

describe('a page that a reader looks at', () => {
  it('is counted with its visitors told apart and nothing that says who they were', async () => {
    const hits = await counter();
    for (const ip of ['203.0.113.7', '203.0.113.7', '203.0.113.8']) {
      hits.count(request({ referer: 'https://www.search.example/?q=my+name' }, { ip }), place, 200);
    }
    await hits.flush();
    expect(taken).toEqual([
      {
        ...place,
        day: '2026-03-02',
        found: true,
        views: 3,
        visitors: [expect.stringMatching(/^[\w-]{16}$/), expect.stringMatching(/^[\w-]{16}$/)],
        referrers: [{ host: 'search.example', views: 3 }],
      },
    ]);
    expect(JSON.stringify(taken)).not.toMatch(/203\.|Firefox|my.name/);
  });

  it('is the same visitor on every replica, and another on every site and day', async () => {
    const visitors: string[] = [];
    for (const [day, site] of [
      ['2026-03-02', 'seals'],
      ['2026-03-02', 'seals'],
      ['2026-03-02', 'other'],
      ['2026-03-03', 'seals'],
    ]) {
      const hits = await counter(day);
      hits.count(request(), { site: site!, path: '/' }, 200);
      await hits.flush();
      visitors.push(taken[0]!.visitors[0]!);
      taken = [];
    }
    expect(visitors[0]).toBe(visitors[1]);
    expect(new Set(visitors).size).toBe(3);
  });

  it.each([
    [
      'a program',
      request({ 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }),
    ],
    ['something without a name', request({ 'user-agent': undefined })],
    ['a look ahead', request({ 'sec-purpose': 'prefetch;prerender' })],
    ['a question about the head', request({}, { method: 'HEAD' })],
  ])('is not counted for %s', async (_, from) => {
    const hits = await counter();
    hits.count(from, place, 200);
    hits.count(from, place, 404);
    await hits.flush();
    expect(taken).toEqual([]);
  });

  it('is counted without a visitor for who asks not to be told apart, and where no key can be had', async () => {
    const hits = await counter();
    hits.count(request({ 'sec-gpc': '1' }), place, 200);
    await hits.flush();
    expect(taken).toMatchObject([{ views: 1, visitors: [] }]);
    const away = { ...keyValue, compareAndSet: () => Promise.reject(new Error('away')) };
    const blind = await counter('2026-03-02', away);
    blind.count(request(), place, 200);
    await blind.flush();
    expect(taken).toMatchObject([{ views: 1, visitors: [] }]);
  });

  it('that is not there is counted as that; a redirect and a fault are not', async () => {
    const hits = await counter();
    for (const status of [404, 301, 410, 500]) hits.count(request({ referer: 'https://x.example/' }), place, status);
    await hits.stop();
    expect(taken).toMatchObject([{ found: false, views: 1, visitors: [], referrers: [] }]);
  });
});

it.each([
  ['https://www.search.example/?q=secret', 'search.example'],
  ['https://example.com/other', undefined],
  ['https://127.0.0.1/', '127.0.0.1'],
  ['android-app://com.example/', undefined],
  ['https://xn--e1afmkfd.example/', 'xn--e1afmkfd.example'],
  [`https://${'a.'.repeat(60)}example/`, undefined],
  ['not an address', undefined],
  [undefined, undefined],
])('of the referrer %s the host is %s', (referrer, host) => {
  expect(referrerHost(referrer, 'example.com')).toBe(host);
});
