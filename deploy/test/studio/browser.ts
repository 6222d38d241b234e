import { type Browser, chromium } from 'playwright-core';
import { findProgram } from '../servers/find-program.ts';

/** A real Chromium: the one of CLOUDHAL_TEST_CHROMIUM, else one of this machine. */
export async function openBrowser(): Promise<Browser> {
  const executablePath =
    process.env.CLOUDHAL_TEST_CHROMIUM ??
    (await findProgram('chromium-headless-shell')) ??
    (await findProgram('chromium'));
  if (!executablePath) throw new Error('The tests of Studio need Chromium: apt-get install chromium-headless-shell.');
  return chromium.launch({
    executablePath,
    // Root has no sandbox; only our own pages are opened here.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update'],
  });
}
