import { CloudhalError, fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import type { Browser } from 'playwright-core';
import { type Chromium, launchChromium } from './chromium.ts';
import { findBrowser, isExecutable } from './find-browser.ts';
import { memoryOf } from './memory.ts';

export type BrowserSettings = {
  /** The path of a Chromium; one of this machine when absent. */
  executable?: string;
  /** Chromium's own sandbox; off only where something else is in its place. */
  sandbox: boolean;
  /** How long one page may take. */
  pageMs?: number;
  /** How long a browser without work stays. */
  idleMs?: number;
  /** How much its processes may have. */
  memoryBytes?: number;
};

export type Browsers = {
  /**
   * Gives a piece of work the browser, and ends the browser if the work overstays. At most two at once; a few wait.
   * Errors: renderer_unavailable, renderer_timeout, limit_exceeded (memory), overloaded.
   */
  use<T>(work: (browser: Browser) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const atOnce = 2;
const mayWait = 8;
/** A browser is replaced after so many pages: what it gathers over time goes with it. */
const pagesEach = 50;
const memoryEveryMs = 250;

type Running = Chromium & { pages: number; users: number; ended: boolean };

/** One browser at a time, started when it is needed and again after it was ended. */
export function createBrowsers(settings: BrowserSettings, log: Log): Browsers {
  const { pageMs = 20_000, idleMs = 60_000, memoryBytes = 768 * 1024 * 1024 } = settings;
  let current: Promise<Running> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let busy = 0;
  const waiting: (() => void)[] = [];

  async function slot(): Promise<void> {
    if (busy >= atOnce) {
      if (waiting.length >= mayWait) throw fail('overloaded');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else busy++;
  }

  function freeSlot(): void {
    const next = waiting.shift();
    if (next) next();
    else busy--;
  }

  async function launch(): Promise<Running> {
    const executable = settings.executable ?? (await findBrowser());
    if (executable === undefined || !(await isExecutable(executable))) throw missing(settings.executable);
    try {
      const chromium = await launchChromium(executable, settings.sandbox);
      const running: Running = { ...chromium, pages: 0, users: 0, ended: false };
      chromium.browser.once('disconnected', () => void end(running));
      return running;
    } catch (error) {
      log.error({ err: error, executable }, 'the browser did not start');
      throw fail('renderer_unavailable', {
        problem: 'the browser did not start',
        how: 'Tell the people who run this deployment; the reason is in the log of the worker.',
      });
    }
  }

  async function end(running: Running): Promise<void> {
    if (running.ended) return;
    running.ended = true;
    if ((await current?.catch(() => undefined)) === running) current = undefined;
    await running.kill();
  }

  async function take(): Promise<Running> {
    clearTimeout(idle);
    current ??= launch();
    const mine = current;
    try {
      const running = await mine;
      if (running.ended) {
        if (current === mine) current = undefined;
        return await take();
      }
      running.users++;
      running.pages++;
      // Whoever comes next gets a new one; this one ends with its last user.
      if (running.pages >= pagesEach && current === mine) current = undefined;
      return running;
    } catch (error) {
      if (current === mine) current = undefined;
      throw error;
    }
  }

  async function give(running: Running): Promise<void> {
    running.users--;
    if (running.users > 0) return;
    if ((await current?.catch(() => undefined)) !== running) return end(running);
    idle = setTimeout(() => void end(running), idleMs).unref();
  }

  /** Waits for the work, and for whatever ends it first. */
  async function watched<T>(running: Running, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    let sampler: NodeJS.Timeout | undefined;
    let gone: (() => void) | undefined;
    const cut = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(fail('renderer_timeout')), pageMs);
      sampler = setInterval(async () => {
        const bytes = await memoryOf(running.group).catch(() => undefined);
        if (bytes !== undefined && bytes > memoryBytes) {
          const max = `${Math.round(memoryBytes / 1024 / 1024)} MiB`;
          reject(fail('limit_exceeded', { what: 'The memory that the page takes in a browser', max }));
        }
      }, memoryEveryMs);
      gone = () => reject(died());
      running.browser.once('disconnected', gone);
    });
    try {
      return await Promise.race([work, cut]);
    } catch (error) {
      // A page that overstays, or asks for too much, can only be ended from outside.
      if (error instanceof CloudhalError && error.code !== 'renderer_unavailable') await end(running);
      throw error;
    } finally {
      clearTimeout(timer);
      clearInterval(sampler);
      if (gone) running.browser.off('disconnected', gone);
      work.catch(() => undefined);
    }
  }

  async function attempt<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
    const running = await take();
    try {
      return await watched(running, work(running.browser));
    } catch (error) {
      if (error instanceof CloudhalError) throw error;
      log.warn({ err: error }, 'the browser failed');
      throw died();
    } finally {
      await give(running);
    }
  }

  return {
    async use(work) {
      await slot();
      try {
        return await attempt(work).catch((error: unknown) => {
          // It may have been another's page that ended the browser.
          if (error instanceof CloudhalError && error.body.details?.died === true) return attempt(work);
          throw error;
        });
      } finally {
        freeSlot();
      }
    },
    async close() {
      clearTimeout(idle);
      const running = await current?.catch(() => undefined);
      if (running) await end(running);
    },
  };
}

function died(): CloudhalError {
  return fail('renderer_unavailable', {
    problem: 'the browser ended while it showed the page',
    how: 'Call again; if it happens again, make the page smaller.',
    died: true,
  });
}

function missing(configured: string | undefined): CloudhalError {
  return fail('renderer_unavailable', {
    problem: configured === undefined ? 'there is no browser on this machine' : 'the configured browser is not there',
    how: 'Install Chromium where tool-service runs (on Debian: apt-get install chromium-headless-shell), or set CLOUDHAL_RENDER_BROWSER to the path of one.',
  });
}
