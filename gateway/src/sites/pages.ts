import type { Bus } from '@cloudhal/shared/bus/bus';
import { type Rendered, siteComment, siteFeed, sitePage, sitePreview } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import express, { type Request, type Response, type Router } from 'express';
import type { Static } from 'typebox';
import { limiterAddress } from '../client-address.ts';
import { ask } from '../http/ask.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { isCommentForm, readCommentForm } from './comment-form.ts';
import type { FormTokens } from './form-tokens.ts';
import { previewPolicy, publishedPolicy } from './headers.ts';
import type { Hits } from './hits.ts';

const slugs = /^[a-z0-9](?:[a-z0-9-]{0,94}[a-z0-9])?$/;

/** What programs ask a site for. No page has such an address: slugs have no dots. */
const feeds = /^(?:\/[A-Za-z0-9-]+)?\/(?:feed|atom)\.xml$|^\/sitemap(?:-\d+)?\.xml$|^\/robots\.txt$/;

export type SitePagesDeps = { bus: Bus; limiter: RateLimiter; formTokens: FormTokens; hits: Hits };

/**
 * Published sites at `/sites/<slug>/…`, with what their readers write, and drafts at `/preview/<token>`: tool-service
 * renders, this serves.
 */
export function sitePages({ bus, limiter, formTokens, hits }: SitePagesDeps): Router {
  const router = express.Router();

  router.get('/sites/:slug{/*path}', async (request, response) => {
    const place = placeOf(request);
    if (place.path === '') return response.redirect(308, `${place.basePath}/`);
    if (feeds.test(place.path)) return serve(await ask(bus, siteFeed, place, 'tool_unavailable'), response);
    const form = isCommentForm(place.path) ? { form: formTokens.make(place.basePath + place.path) } : {};
    const page = await ask(bus, sitePage, { ...place, ...form }, 'tool_unavailable');
    serve(page, response);
    if (!/\/comments(?:\/sent)?$/.test(place.path)) hits.count(request, place, page.status);
  });

  // A comment carries no authority: no cookie is looked at, and nothing is shown before a person has approved it.
  router.post('/sites/:slug/*path', readCommentForm, async (request, response) => {
    const { site, path, basePath } = placeOf(request);
    await limiter.take('comment', limiterAddress(request.ip));
    await limiter.take('siteComments', site);
    const { author, text, form, website } = request.body;
    const entry = path.replace(/\/comments$/, '');
    // Only a program fills in what people do not see; it is told what it wants to hear.
    if (website !== '') return response.redirect(303, `${encodeURI(basePath + path)}/sent`);
    const problem = formTokens.check(form, basePath + path);
    const written = { site, path: entry, basePath, author, text, form: formTokens.make(basePath + path) };
    const page = await ask(bus, siteComment, { ...written, ...(problem && { problem }) }, 'tool_unavailable');
    serve(page, response);
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

/** The site that a request names, and the path in it. */
function placeOf(request: Request): { site: string; path: string; basePath: string } {
  const { slug } = request.params;
  if (typeof slug !== 'string' || !slugs.test(slug)) throw fail('not_found', { what: 'site', id: String(slug) });
  const basePath = `/sites/${slug}`;
  return {
    site: slug,
    basePath,
    path: request.path === basePath ? '' : plainPath(request.path.slice(basePath.length)),
  };
}

function serve(page: Static<typeof Rendered>, response: Response): void {
  response.setHeader('Content-Security-Policy', policies(publishedPolicy, page));
  // Checked each time, so that what is unpublished is gone at once; an unchanged page costs no body.
  const lasts = page.status === 200 && page.etag !== undefined;
  response.setHeader('Cache-Control', lasts ? 'public, max-age=0, must-revalidate' : 'no-store');
  send(page, response);
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
  // A header holds no other characters; what is encoded already stays so.
  const target = location?.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  if (target !== undefined) response.setHeader('Location', target);
  response.send(html);
}
