import { fail } from '@cloudhal/shared/errors';
import type { Page } from 'playwright-core';

/** As base64 these are the 300 KiB of a result's pictures. */
const mostBytes = 225 * 1024;
const mostPixelsHigh = 6_000;
/** Until it is small enough: less exact, then smaller. */
const attempts = [
  { quality: 80, scale: 1 },
  { quality: 50, scale: 1 },
  { quality: 50, scale: 0.6 },
  { quality: 30, scale: 0.4 },
];

/** The page from its top as a WebP of at most 225 KiB. */
export async function takeScreenshot(page: Page): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  const { cssContentSize, cssLayoutViewport } = await devtools.send('Page.getLayoutMetrics');
  const width = cssLayoutViewport.clientWidth;
  const height = Math.min(Math.ceil(cssContentSize.height), mostPixelsHigh);
  for (const { quality, scale } of attempts) {
    const { data } = await devtools.send('Page.captureScreenshot', {
      format: 'webp',
      quality,
      captureBeyondViewport: true,
      clip: { x: 0, y: 0, width, height, scale },
    });
    const image = Buffer.from(data, 'base64');
    if (image.length <= mostBytes) return image;
  }
  throw fail('limit_exceeded', { what: 'The screenshot', max: `${mostBytes} bytes` });
}
