import { CloudhalError } from '@cloudhal/shared/errors';
import type { Browser } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { Browsers } from './browsers.ts';
import { openTestBrowsers } from './testing/test-browser.ts';

let browsers: Browsers;
afterEach(() => browsers.close());

const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof CloudhalError ? error.code : String(error)),
  );
const inPage = (script: string) => async (browser: Browser) => (await browser.newPage()).evaluate(script);

describe('the browser', () => {
  it('serves several pieces of work, and starts anew after it was ended', async () => {
    browsers = openTestBrowsers();
    const both = await Promise.all([browsers.use(inPage('1 + 1')), browsers.use(inPage('2 + 2'))]);
    expect(both).toEqual([2, 4]);
    await browsers.use((browser) => browser.close()).catch(() => undefined);
    expect(await browsers.use(inPage('3 + 3'))).toBe(6);
  });

  it('is ended with a page that hangs, and the next call gets another', async () => {
    browsers = openTestBrowsers({ pageMs: 1_500 });
    expect(await failure(browsers.use(inPage('for (;;) {}')))).toBe('renderer_timeout');
    expect(await browsers.use(inPage('1'))).toBe(1);
  });

  it.runIf(process.platform === 'linux')('is ended with a page that takes too much memory', async () => {
    browsers = openTestBrowsers({ memoryBytes: 500 * 1024 * 1024 });
    const greedy = `(() => { const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1)); })()`;
    expect(await failure(browsers.use(inPage(greedy)))).toMatch(/^(?:limit_exceeded|renderer_unavailable)$/);
    expect(await browsers.use(inPage('1'))).toBe(1);
  });

  it('that is not there is said with what to install', async () => {
    browsers = openTestBrowsers({ executable: '/nowhere/chromium' });
    const error = await browsers.use(inPage('1')).catch((thrown: unknown) => thrown);
    expect((error as CloudhalError).body).toMatchObject({
      code: 'renderer_unavailable',
      next: expect.stringMatching(/Install Chromium.*CLOUDHAL_RENDER_BROWSER/),
    });
  });

  it('that is no browser is said, too', async () => {
    browsers = openTestBrowsers({ executable: process.execPath });
    expect(await failure(browsers.use(inPage('1')))).toBe('renderer_unavailable');
  });

  it('keeps a line of calls short', async () => {
    browsers = openTestBrowsers();
    const codes = await Promise.all(Array.from({ length: 12 }, () => failure(browsers.use(inPage('1')))));
    expect(codes.filter((code) => code === 'overloaded')).toHaveLength(2);
    expect(codes.filter((code) => code === 'done')).toHaveLength(10);
  });
});
