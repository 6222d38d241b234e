import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { connect, type TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { testDatabase } from '@cloudhal/shared/testing/test-database';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type House, openHouse } from '../../local/house.ts';
import { join, type Person } from '../people.ts';
import { openBrowser } from './browser.ts';
import { startPrefixProxy } from './prefix-proxy.ts';

export type Theme = 'light' | 'dark';
export type Width = keyof typeof sizes;
export const themes: Theme[] = ['light', 'dark'];
export const sizes = {
  phone: { width: 375, height: 780 },
  wide: { width: 1360, height: 860 },
} as const;

type Visit = {
  /** Signed in as; nobody where nothing is said. */
  as?: Person;
  theme?: Theme;
  width?: Width;
};

/** All services in this process with the example site, an owner, and a real browser in front of them. */
export type Stage = {
  house: House;
  url: string;
  owner: Person;
  /** Opens a page of Studio, such as `approvals`; what goes wrong in it fails `faults`. */
  open(path: string, visit?: Visit): Promise<StudioPage>;
  /** Makes an account with a role by an invitation. */
  person(role: string, name?: string): Promise<Person>;
  /** Makes a key and connects a client with it, which cannot be asked. */
  agent(key?: object): Promise<TestClient & { keyId: string; secret: string }>;
  /** Does something while everybody's sign-in counts as a while ago. */
  withOldSignIns(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

export type StudioPage = {
  page: Page;
  /** What the browser complained about: script errors, refused by the content policy, failed loads. */
  faults: string[];
  close(): Promise<void>;
};

export type StageOptions = {
  /** The path below which a proxy in front serves everything, such as `/cloudhal`. */
  below?: string;
  /** Settings of the house; behind a proxy they may depend on the address. */
  env?: Record<string, string> | ((url: string) => Promise<Record<string, string>>);
};

export async function openStage({ below, env = {} }: StageOptions = {}): Promise<Stage> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  const before = { ...process.env };
  stops.push(() => {
    process.env = before;
  });
  try {
    const folder = mkdtempSync(joinPath(tmpdir(), 'cloudhal-studio-'));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    const db = await testDatabase();
    stops.push(db.drop);
    Object.assign(process.env, {
      CLOUDHAL_DATABASE_URL: db.url,
      CLOUDHAL_RATE_PER_MINUTE: '100000',
      CLOUDHAL_RATE_BURST: '10000',
      ...(typeof env === 'object' && env),
    });
    const proxy = below === undefined ? undefined : await startPrefixProxy(below);
    if (proxy) {
      stops.push(proxy.stop);
      process.env.CLOUDHAL_PUBLIC_URL = proxy.url;
      if (typeof env === 'function') Object.assign(process.env, await env(proxy.url));
    }
    const house = await openHouse(folder, { listen: { port: proxy ? await proxy.target() : 0 } });
    stops.push(house.stop);
    await house.seedExampleSite();
    const owner = await join(house.url, (await house.firstOwnerLink())!);
    const browser = await openBrowser();
    stops.push(() => browser.close());

    // Many people come from one address here; that this is limited has tests of its own.
    const forgetSignIns = () => house.database.query(`DELETE FROM shared.rate WHERE key LIKE 'rate:%'`);
    return {
      house,
      url: house.url,
      owner,
      async open(path, visit) {
        await forgetSignIns();
        return openPage(browser, `${house.url}/studio/${path}`, visit);
      },
      async person(role, name = `The ${role}`) {
        await forgetSignIns();
        const { body, status } = await owner.send('/api/people/invitations', { method: 'POST', body: { role } });
        if (status !== 201) throw new Error(`inviting answered ${status}: ${JSON.stringify(body)}`);
        return join(house.url, body.url as string, name);
      },
      async agent(key = {}) {
        const { id, secret } = await owner.createKey({ name: 'Writer', scopes: '*', mode: 'edits', ...key });
        const client = await connect(`${house.url}/mcp`, '2026-07-28', { as: secret });
        stops.push(() => client.close());
        return { ...client, keyId: id, secret };
      },
      async withOldSignIns(work) {
        const sessions = 'UPDATE gateway."session" SET "authenticatedAt" = now()';
        await house.database.query(`${sessions} - interval '11 minutes'`);
        await work().finally(() => house.database.query(sessions));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Opens an address of any deployment's Studio in a window of its own. */
export async function openPage(browser: Browser, url: string, visit: Visit = {}): Promise<StudioPage> {
  const { as, theme = 'light', width = 'wide' } = visit;
  const options: BrowserContextOptions = {
    viewport: sizes[width],
    isMobile: width === 'phone',
    hasTouch: width === 'phone',
    colorScheme: theme,
    reducedMotion: 'reduce',
  };
  const context = await browser.newContext(options);
  for (const pair of as?.cookie.split('; ') ?? []) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: new URL(url).origin, httpOnly: true, sameSite: 'Lax' }]);
  }
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // A refusal of the API is told to the person; the browser notes it too.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}
