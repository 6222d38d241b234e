import type { ServerResponse } from 'node:http';
import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** "Session not found", which makes a client of the 2025 revisions start a new one. */
export const sessionNotFound = -32001;

export type JsonRpcId = string | number | null;

/** Answers with a JSON-RPC error: for what is wrong with the message itself. What is wrong with a call is a tool result. */
export function sendFault(
  res: ServerResponse,
  status: number,
  fault: { code: number; message: string; data?: unknown },
  id: JsonRpcId = null,
  headers: Record<string, string> = {},
  /** The answer is sent at once and ends with this. */
  rest?: Promise<void>,
): void {
  if (res.headersSent || res.destroyed) return;
  const text = JSON.stringify({ jsonrpc: '2.0', error: fault, id });
  const length = Buffer.byteLength(text);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers });
  if (rest === undefined) return void res.end(text);
  res.write(text);
  void rest.then(() => res.end());
}

/** Refuses a request before it became a call; what names it then is its own id, which the log has, too. */
export function refuseRequest(res: ServerResponse, error: CloudhalError, rest?: Promise<void>): void {
  const id = res.getHeader('x-request-id');
  if (typeof id === 'string') error.body.call_id ??= id;
  sendFault(res, error.status, faultOf(error), null, headersOf(error), rest);
}

/** What goes with a code. */
export function headersOf({ body }: CloudhalError): Record<string, string> {
  const { retryAfter, allow } = body.details ?? {};
  return {
    ...(typeof retryAfter === 'number' && { 'retry-after': String(retryAfter) }),
    ...(typeof allow === 'string' && { allow }),
  };
}

/** One of our errors as a JSON-RPC error, with the whole of it as data. */
export function faultOf(error: CloudhalError): { code: number; message: string; data: unknown } {
  return { code: jsonRpcCode(error), message: error.message, data: error.body };
}

/** What a handler other than `tools/call` throws: anything but ours stays behind. */
export function protocolErrorOf(thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const { code, message, data } = faultOf(isOurs(thrown) ? thrown : fail('internal'));
  return new ProtocolError(code, message, data);
}

function jsonRpcCode({ code }: CloudhalError): number {
  if (code === 'malformed_json') return ProtocolErrorCode.ParseError;
  if (code === 'not_found') return ProtocolErrorCode.InvalidParams;
  return code === 'internal' || code.endsWith('_unavailable')
    ? ProtocolErrorCode.InternalError
    : ProtocolErrorCode.InvalidRequest;
}

function isOurs(thrown: unknown): thrown is CloudhalError {
  return thrown instanceof Error && thrown.name === 'CloudhalError';
}
