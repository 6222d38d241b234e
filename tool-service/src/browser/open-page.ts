import { fail } from '@cloudhal/shared/errors';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';

export type Viewport = 'mobile' | 'desktop';
export const viewports: Record<Viewport, { width: number; height: number }> = {
  mobile: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
};

export type Document = {
  html: string;
  /** Where on the site it stands. */
  path: string;
  /** What it shows from its own site, such as an image; nothing else is there for it. */
  resource(path: string): Promise<{ bytes: Buffer; contentType: string } | undefined>;
};

/** The address that the page believes to have; no name server knows the name. */
const origin = 'https://site.invalid';

/**
 * Holds beside whatever the page asks for: it runs nothing, sends nothing, and loads images from what it is handed. Checks are
 * put in by the browser itself, which no policy keeps out.
 */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

/** Shows a document in a context of its own, which knows no other and reaches nothing. */
export async function withPage<T>(
  browser: Browser,
  document: Document,
  viewport: Viewport,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: viewports[viewport],
    isMobile: viewport === 'mobile',
    hasTouch: viewport === 'mobile',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
  });
  try {
    const page = await shut(context, document);
    const crashed = new Promise<never>((_, reject) => {
      page.once('crash', () => {
        reject(
          fail('renderer_unavailable', { problem: 'the page made the browser fail', how: 'Make the page smaller.' }),
        );
      });
    });
    crashed.catch(() => undefined);
    return await Promise.race([crashed, show(page, document).then(() => work(page))]);
  } finally {
    // Of a page that hangs nobody waits for the end: the browser is ended then.
    await Promise.race([
      context.close().catch(() => undefined),
      new Promise((done) => setTimeout(done, 1_000).unref()),
    ]);
  }
}

/** A page from which nothing leads out: every request is answered here, and other windows close. */
async function shut(context: BrowserContext, document: Document): Promise<Page> {
  await context.route('**/*', (route) => answer(route, document));
  await context.routeWebSocket(/.*/, (socket) => void socket.close());
  const page = await context.newPage();
  context.on('page', (other) => void other.close().catch(() => undefined));
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  page.on('download', (download) => void download.cancel().catch(() => undefined));
  return page;
}

async function show(page: Page, { path }: Document): Promise<void> {
  await page.goto(new URL(path, origin).href, { waitUntil: 'load', timeout: 0 });
}

async function answer(route: Route, { html, path, resource }: Document): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  const own = url.origin === origin && request.method() === 'GET';
  // The page itself is asked for once, by the first navigation; any other would lead away from it.
  if (own && request.isNavigationRequest() && url.pathname === new URL(path, origin).pathname) {
    return route.fulfill({
      body: html,
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': policy },
    });
  }
  const found =
    own && request.resourceType() === 'image' ? await resource(url.pathname).catch(() => undefined) : undefined;
  if (found) return route.fulfill({ body: found.bytes, contentType: found.contentType });
  // Aborted, a navigation leaves the page as it is.
  return route.abort(request.isNavigationRequest() ? 'aborted' : 'blockedbyclient');
}
