import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { fail } from '@cloudhal/shared/errors';
import type { KeyRing } from '@cloudhal/shared/key-ring';
import type { Log } from '@cloudhal/shared/log';
import type { Principal } from '@cloudhal/shared/policy';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { type Exchange, readAccept } from './exchange.ts';
import { type JsonRpcId, sendFault, sessionNotFound } from './faults.ts';
import { header, type McpRequest, type Sender, type Serve } from './http.ts';
import type { Questions } from './questions.ts';
import { openSession, readInitialize, type Session, sealSession } from './session.ts';
import type { Caller } from './tool-call.ts';

export type LegacyHttpDeps = { questions: Questions; sessionRing: KeyRing; log: Log; serve: Serve };

/**
 * The 2025 revisions over HTTP, on any replica: what a session has to know is sealed in its id, and a question to the
 * client rides the event stream of the very request that it is about. A client that sends no id, or one that was never
 * ours, is served all the same; it cannot be asked then.
 */
export function createLegacyHttp({ questions, sessionRing, log, serve }: LegacyHttpDeps) {
  /** What is in flight on this replica, by session and request. */
  const inFlight = new Map<string, Exchange>();

  async function startSession(params: unknown, principal: Principal): Promise<Record<string, string>> {
    const session = { id: randomUUID(), principal: principal.id, ...readInitialize(params) };
    try {
      return { 'mcp-session-id': await sealSession(sessionRing, session) };
    } catch (error) {
      log.warn({ err: error }, 'no session could be started');
      return {};
    }
  }

  async function takeAnswer(
    res: ServerResponse,
    answer: JSONRPCMessage,
    session: Session | undefined,
    { refusal }: Caller,
  ): Promise<void> {
    const asked = session && { principal: session.principal, session: session.id };
    const taken = asked && (await questions.answer(idOf(answer), asked, answer));
    if (taken) return void res.writeHead(202).end();
    if (refusal) throw refusal;
    sendFault(res, 400, { code: ProtocolErrorCode.InvalidRequest, message: 'Nobody waits for this answer.' });
  }

  return async (req: McpRequest, res: ServerResponse, body: unknown, sender: Sender): Promise<void> => {
    const message = readMessage(body);
    const { principal } = sender.caller;
    const session = await openSession(sessionRing, header(req, 'mcp-session-id'));
    if (session !== undefined && session.principal !== principal.id) {
      return sendFault(res, 404, { code: sessionNotFound, message: 'Session not found' }, idOf(message));
    }
    const version = header(req, 'mcp-protocol-version');
    if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const expected = `one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
      throw fail('validation_failed', { path: 'MCP-Protocol-Version', expected });
    }
    if (!('method' in message)) return await takeAnswer(res, message, session, sender.caller);
    if (!('id' in message)) {
      // A cancellation is a wish; one that lands on another replica than its request stays one.
      if (message.method === 'notifications/cancelled')
        inFlight.get(keyOf(session, message.params?.requestId))?.cancel(message);
      return void res.writeHead(202).end();
    }

    const accepts = readAccept(req.headers.accept);
    const client = session && { facts: session.client, capabilities: accepts.sse ? session.capabilities : undefined };
    const asked = session && accepts.sse && { principal: session.principal, session: session.id };
    const exchange = await serve(
      { era: 'legacy', channel: 'http', toolsOnly: message.method.startsWith('tools/'), ...sender, client },
      {
        classification: { era: 'legacy' },
        request: message,
        res,
        accepts,
        headers: message.method === 'initialize' ? await startSession(message.params, principal) : {},
        ...(asked && { ask: { questions, asked } }),
      },
    );
    if (session === undefined || res.closed) return;
    const key = keyOf(session, message.id);
    inFlight.set(key, exchange);
    res.once('close', () => inFlight.delete(key));
  };
}

/** One message. Batches left the protocol with 2025-06-18, and here one request is one call for limits and the record. */
function readMessage(body: unknown): JSONRPCMessage {
  const message = body as Partial<JSONRPCRequest & { result: unknown; error: unknown }> | null;
  const isMessage =
    isObject(message) && message?.jsonrpc === '2.0' && ['undefined', 'string', 'number'].includes(typeof message.id);
  const isCall = typeof message?.method === 'string' && (message.params === undefined || isObject(message.params));
  const isAnswer =
    message?.method === undefined && message?.id !== undefined && isObject(message.result ?? message.error);
  if (!isMessage || !(isCall || isAnswer)) {
    throw fail('validation_failed', { path: 'the body', expected: 'one JSON-RPC 2.0 message' });
  }
  return body as JSONRPCMessage;
}

function keyOf(session: Session | undefined, requestId: unknown): string {
  return JSON.stringify([session?.id, requestId]);
}

function idOf(message: object): JsonRpcId {
  return (message as { id?: JsonRpcId }).id ?? null;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
