import { cut } from '@cloudhal/shared/cut';
import { fail } from '@cloudhal/shared/errors';
import express, { type RequestHandler } from 'express';

/** Bytes: a comment of the longest kind, each character of it encoded. */
const maxForm = 64 * 1024;
const readForm = express.urlencoded({ extended: false, limit: maxForm, parameterLimit: 20 });

/** Whether a comment is written at this path of a site. */
export function isCommentForm(path: string): boolean {
  return /^\/.+\/comments$/.test(path);
}

/** The same of a path of the gateway. */
export function takesComments(path: string): boolean {
  return /^\/sites\/[^/]+\/.+\/comments$/.test(path);
}

/** What the form sends: each field once, as text; what is missing is empty. */
export type CommentForm = { author: string; text: string; form: string; website: string };

/** Reads a form that a browser sent without script; every other request to change something is refused. */
export const readCommentForm: RequestHandler = (request, response, next) => {
  if (!takesComments(request.path)) throw fail('not_found', { what: 'page', id: request.path.slice(0, 100) });
  if (!request.is('application/x-www-form-urlencoded')) {
    throw fail('unsupported_media', {
      found: request.headers['content-type']?.slice(0, 100) ?? 'none',
      accepted: 'application/x-www-form-urlencoded',
    });
  }
  readForm(request, response, (error?: unknown) => {
    if (error) return next(error);
    const fields = (request.body ?? {}) as Record<string, unknown>;
    const text = (name: string, max: number) => {
      const value = fields[name];
      return typeof value === 'string' ? cut(value, max) : '';
    };
    request.body = {
      author: text('author', 2_000),
      text: text('text', 64_000),
      form: text('form', 200),
      website: text('website', 200),
    } satisfies CommentForm;
    next();
  });
};
