import { findBrowser } from '@cloudhal/tool-service/browser/find-browser';
import { install } from './programs.ts';

/** The path of a Chromium; on Debian, as root, it is installed if there is none. */
export async function ensureBrowser(): Promise<string> {
  const installed = (name: string) => install(name, findBrowser).catch(() => undefined);
  const found = (await findBrowser()) ?? (await installed('chromium-headless-shell')) ?? (await installed('chromium'));
  if (found) return found;
  throw new Error(
    'The tests need Chromium, and it is not on this machine. Install it (on Debian: apt-get install chromium-headless-shell), or set CLOUDHAL_TEST_CHROMIUM to the path of one.',
  );
}
