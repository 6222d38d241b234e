import type { Bus } from '@cloudhal/shared/bus/bus';
import { type Rendered, sitePage, sitePreview } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import express, { type Request, type Response, type Router } from 'express';
import type { Static } from 'typebox';
import { ask } from '../http/ask.ts';
import { previewPolicy, publishedPolicy } from './headers.ts';

const slugs = /^[a-z0-9](?:[a-z0-9-]{0,94}[a-z0-9])?$/;

/** Published sites at `/sites/<slug>/…`, and drafts at `/preview/<token>`: tool-service renders, this serves. */
export function sitePages(bus: Bus): Router {
  const router = express.Router();

  router.get('/sites/:slug{/*path}', async (request, response) => {
    const { slug } = request.params;
    if (typeof slug !== 'string' || !slugs.test(slug)) throw fail('not_found', { what: 'site', id: String(slug) });
    const basePath = `/sites/${slug}`;
    if (request.path === basePath) return response.redirect(308, `${basePath}/`);
    const path = plainPath(request.path.slice(basePath.length));
    const page = await ask(bus, sitePage, { site: slug, path, basePath }, 'tool_unavailable');
    response.setHeader('Content-Security-Policy', policies(publishedPolicy, page));
    // Checked each time, so that what is unpublished is gone at once; an unchanged page costs no body.
    response.setHeader('Cache-Control', page.status === 200 ? 'public, max-age=0, must-revalidate' : 'no-store');
    send(page, response);
  });

  router.get('/preview/:token', async (request: Request<{ token: string }>, response) => {
    const { token } = request.params;
    if (token.length > 1024) throw fail('not_found', { what: 'preview', id: '…' });
    const basePath = `/preview/${encodeURIComponent(token)}`;
    const page = await ask(bus, sitePreview, { token, basePath }, 'tool_unavailable');
    response.setHeader('Content-Security-Policy', policies(previewPolicy, page));
    response.setHeader('Cache-Control', 'private, no-store');
    response.setHeader('X-Robots-Tag', 'noindex, nofollow, noarchive');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.removeHeader('X-Frame-Options');
    send({ ...page, etag: undefined }, response);
  });

  return router;
}

/** Two policies hold both: what a page asks for itself can only narrow ours. */
function policies(ours: string, { policy }: Static<typeof Rendered>): string[] {
  return policy === undefined ? [ours] : [ours, policy];
}

/** Decoded once; what would mean another path to somebody who decodes again, or climbs, is nowhere. */
function plainPath(raw: string): string {
  let path: string;
  try {
    path = decodeURIComponent(raw);
  } catch {
    throw fail('not_found', { what: 'page', id: '…' });
  }
  const odd = /[\p{Cc}\\%]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/u.test(path);
  if (odd || path.length > 2048) throw fail('not_found', { what: 'page', id: '…' });
  return path;
}

/** Express answers 304 by itself where the etag is the one that the browser has. */
function send(
  { status, html, contentType, etag, location }: Static<typeof Rendered> & { etag?: string | undefined },
  response: Response,
): void {
  response.status(status).setHeader('Content-Type', contentType);
  if (etag !== undefined) response.setHeader('ETag', etag);
  if (location !== undefined) response.setHeader('Location', location);
  response.send(html);
}
