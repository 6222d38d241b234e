import { BusError } from '@cloudhal/shared/bus/bus';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import type { Response } from 'express';
import { headersOf, refuseRequest } from '../mcp/faults.ts';

/** The coded error of anything that was thrown on the way to an answer. */
export function codedError(thrown: unknown): CloudhalError {
  if (thrown instanceof CloudhalError) return thrown;
  if (thrown instanceof BusError) return fail('tool_unavailable');
  const { type, status, limit } = (thrown ?? {}) as { type?: unknown; status?: unknown; limit?: unknown };
  // Express and body-parser throw errors of their own, told apart by `type`.
  if (type === 'entity.too.large') return fail('payload_too_large', { max: limit });
  if (type === 'encoding.unsupported') {
    return fail('unsupported_media', { found: 'this content encoding', accepted: 'identity, gzip, deflate' });
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return fail('validation_failed', { path: 'request', expected: 'it is not well-formed' });
  }
  return fail('internal');
}

/** Logs what is our fault, and sets the headers that go with a code. */
export function prepareError(thrown: unknown, response: Response, log: Log): CloudhalError {
  const error = codedError(thrown);
  if (error.code === 'internal') log.error({ err: thrown }, 'a request failed');
  // A sign-in that could not be recorded did not happen.
  response.removeHeader('Set-Cookie');
  response.status(error.status).set({ 'cache-control': 'no-store', ...headersOf(error) });
  return error;
}

export function answerError(thrown: unknown, response: Response, log: Log): void {
  response.json(prepareError(thrown, response, log).body);
}

/** The same for `/mcp`, in the form that MCP clients read: a JSON-RPC error that carries the coded body. */
export function answerRpcError(thrown: unknown, response: Response, log: Log): void {
  refuseRequest(response, prepareError(thrown, response, log));
}
