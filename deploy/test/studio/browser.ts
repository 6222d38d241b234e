import { type Browser, chromium } from 'playwright-core';

/** The Chromium that the tests were set up with. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CLOUDHAL_TEST_CHROMIUM;
  if (!executablePath) throw new Error('CLOUDHAL_TEST_CHROMIUM is not set; run the tests with vitest, which sets it.');
  return chromium.launch({
    executablePath,
    // Root has no sandbox; only our own pages are opened here.
    chromiumSandbox: process.getuid?.() !== 0 && process.env.CLOUDHAL_TEST_CHROMIUM_SANDBOX !== 'off',
    args: ['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update'],
  });
}
