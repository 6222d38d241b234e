import { fail } from '@cloudhal/shared/errors';
import { parseJson } from '@cloudhal/shared/parse-json';
import { compile } from '@cloudhal/shared/schema';
import express, { type Request, type RequestHandler } from 'express';
import type { Static, TSchema } from 'typebox';

/** Reads a JSON body of an API request, and refuses every other type: a form of another site could send those. */
export const jsonBody = jsonBodyOf(256 * 1024);

/** The same with a limit of its own, in bytes after decompression. */
export function jsonBodyOf(limit: number): RequestHandler {
  const readRaw = express.raw({ type: () => true, limit });
  return (request, response, next) => {
    const type = request.headers['content-type'];
    if (!/^application\/json *(?:;|$)/i.test(type ?? '')) {
      throw fail('unsupported_media', { found: type?.slice(0, 100) ?? 'none', accepted: 'application/json' });
    }
    readRaw(request, response, (error) => {
      if (error) return next(error);
      try {
        request.body = parseJson(Buffer.isBuffer(request.body) ? request.body : '');
      } catch (invalid) {
        return next(invalid);
      }
      next();
    });
  };
}

/** Makes a reader of bodies (or of queries) that fit a schema; throws `validation_failed`. */
export function reader<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const check: (value: unknown) => asserts value is Static<S> = compile<Static<S>>(schema);
  return (value) => {
    check(value);
    return value;
  };
}

/** A query in which every name occurs once, as text. */
export function queryOf(request: Request): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.query)) {
    if (typeof value !== 'string')
      throw fail('validation_failed', { path: name.slice(0, 50), expected: 'it may occur once' });
    query[name] = value;
  }
  return query;
}
