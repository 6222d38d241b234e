import { fail } from '@cloudhal/shared/errors';
import type { Request, RequestHandler } from 'express';
import { type Edge, fromOwnPage } from '../origin.ts';

const reading = new Set(['GET', 'HEAD']);

/** Throws `origin_refused` where a change does not come from one of our own pages. */
export function requireOwnPage(edge: Edge, { headers }: Pick<Request, 'headers'>): void {
  const fetchSite = headers['sec-fetch-site'];
  if (!fromOwnPage(edge, headers.origin, Array.isArray(fetchSite) ? fetchSite[0] : fetchSite)) {
    throw fail('origin_refused');
  }
}

/** A cookie goes along with what another site sends, so a change has to say where it comes from. */
export function changesFromOwnPages(edge: Edge): RequestHandler {
  return (request, _response, next) => {
    if (!reading.has(request.method)) requireOwnPage(edge, request);
    next();
  };
}
