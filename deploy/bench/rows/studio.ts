import { openDatabase } from '@cloudhal/shared/database';
import type { CDPSession, Page } from 'playwright-core';
import { ensureBrowser } from '../../test/servers/browser.ts';
import { openBrowser } from '../../test/studio/browser.ts';
import type { Rows } from '../bench.ts';
import { callOnce } from '../harness.ts';
import { toolCall } from '../mcp.ts';
import { inPairs, median, ratios } from '../pairs.ts';
import { othersWhile } from '../processes.ts';
import { measuredRow, plainRow } from '../report.ts';
import type { World } from '../world.ts';

const slowedBy = 4;
const requests = 1_000;
const slowly = `on a CPU slowed ${slowedBy} times`;

/** Studio as somebody with an old telephone has it: until it can be used, and how a long list scrolls. */
export const studio: Rows = {
  name: 'studio',
  async measure({ world, quick }) {
    process.env.CLOUDHAL_TEST_CHROMIUM ??= await ensureBrowser();
    const browser = await openBrowser();
    const removeRequests = await waitingRequests(world);
    try {
      const { result, others } = await othersWhile(world.allPids(), async () => {
        const opened: number[] = [];
        for (let visit = 0; visit < (quick ? 3 : 7); visit++) {
          const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
          const page = await context.newPage();
          await slow(page);
          opened.push(await timeToUse(page, `${world.deployment.url}/studio/sign-in`));
          await context.close();
        }
        const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
        await context.addCookies(cookiesOf(world));
        const scrolled = async (open: (page: Page) => Promise<unknown>) => {
          const page = await context.newPage();
          const devtools = await slow(page);
          await open(page);
          return await frameTime(page, devtools).finally(() => page.close());
        };
        const pairs = await inPairs(
          quick ? 3 : 7,
          () => scrolled((page) => page.setContent(plainList)),
          () =>
            scrolled(async (page) => {
              await page.goto(`${world.deployment.url}/studio/approvals`);
              await page.locator('li[aria-setsize]').nth(5).waitFor();
            }),
        );
        return { opened, pairs };
      });
      const { opened, pairs } = result;
      const own = (ms: number) => ms;
      return [
        plainRow('Studio: from the address to a page that can be used', 'ms', median(opened), {
          limit: { atMost: 2_000 },
          note: `${slowly}, nothing in the browser's cache`,
          ...(others !== undefined && { others }),
        }),
        measuredRow({
          metric: `Studio: a frame while ${requests} requests scroll by, against a plain list`,
          unit: 'ms',
          value: median(pairs.map(({ variant }) => variant)),
          baseline: median(pairs.map(({ baseline }) => baseline)),
          ratio: ratios(pairs, own, own),
          target: { atMost: 1.5 },
          others,
          note: slowly,
        }),
      ];
    } finally {
      await removeRequests();
      await browser.close();
    }
  },
};

async function slow(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowedBy });
  return devtools;
}

/** Until the form is there and what is typed arrives in it. */
async function timeToUse(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('input[type=email]').fill('ada@example.org');
  return page.evaluate(() => performance.now());
}

/** Milliseconds from one frame to the next, on the average, while a list is scrolled as with a finger. */
async function frameTime(page: Page, devtools: CDPSession): Promise<number> {
  await page.evaluate(`{
    const times = (window.frameTimes = []);
    const note = (now) => { times.push(now); requestAnimationFrame(note); };
    requestAnimationFrame(note);
  }`);
  for (let flick = 0; flick < 3; flick++) {
    await devtools.send('Input.synthesizeScrollGesture', { x: 195, y: 500, yDistance: -3_000, speed: 2_000 });
  }
  const times = await page.evaluate<number[]>('window.frameTimes');
  return (times.at(-1)! - times[0]!) / (times.length - 1);
}

/** The least that such a list could be: as many lines, and nothing that moves with them. */
const plainList = `<ul style="list-style:none">${`<li style="height:9rem">A request</li>`.repeat(requests)}</ul>`;

function cookiesOf({ owner, deployment }: World) {
  return owner.cookie.split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    return { name, value, url: new URL(deployment.url).origin };
  });
}

/** A real request, and as many like it; gives back how they are taken away. */
async function waitingRequests({ deployment, key, site, entries }: World): Promise<() => Promise<void>> {
  const url = `${deployment.gatewayUrls[0]}/mcp`;
  const entry = entries[0]!;
  await callOnce({ url, call: () => toolCall('delete_entry', { site, entry: entry.id, rev: entry.rev }, key) });
  const database = openDatabase({ url: deployment.databaseUrl, name: 'bench' });
  await database.query(
    `INSERT INTO policy.approval SELECT (jsonb_populate_record(a, jsonb_build_object(
       'id', 'apr_many_' || n, 'args_hash', md5(n::text), 'created_at', a.created_at - n * interval '1 second'))).*
     FROM policy.approval a, generate_series(1, $1::integer) n
     WHERE a.id = (SELECT id FROM policy.approval WHERE state = 'pending' ORDER BY created_at DESC LIMIT 1)`,
    [requests],
  );
  return async () => {
    await database.query(`DELETE FROM policy.approval WHERE id LIKE 'apr_many_%'`);
    await database.close();
  };
}
