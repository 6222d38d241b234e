import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { parseJson } from '@cloudhal/shared/parse-json';
import type { Toolset } from '@cloudhal/shared/tool';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  type InboundModernRoute,
  isJsonContentType,
  type JSONRPCRequest,
  type McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { Exchange, type ExchangeOptions, readAccept } from './exchange.ts';
import { refuseRequest } from './faults.ts';
import { createLegacyHttp, type LegacyHttpDeps } from './legacy-http.ts';
import { readBody } from './read-body.ts';
import { modernRevision, type Serving } from './server.ts';
import type { Streams } from './streams.ts';
import type { Caller } from './tool-call.ts';
import { readToolsets } from './tool-list.ts';

/** A request whose sender is known: `auth.extra` holds a `Caller`, and the toolsets of its key if it has some. */
export type McpRequest = IncomingMessage & { auth?: AuthInfo; originalUrl?: string };
export type Sender = { caller: Caller; toolsets: Toolset[] };
/** Serves one request on a server of its own. */
export type Serve = (serving: Serving, options: ExchangeOptions) => Promise<Exchange>;

export type HttpDeps = Omit<LegacyHttpDeps, 'serve'> & {
  createServer(serving: Serving): McpServer;
  streams: Streams;
  changes: ServerEventBus;
  maxBodyBytes: number;
};

/** `POST /mcp` of both eras, after authentication. Each message says itself which era it is of. */
export function createHttp(deps: HttpDeps) {
  const { createServer, log } = deps;
  const inFlight = new Set<Exchange>();

  const serve: Serve = async (serving, options) => {
    const exchange = new Exchange(options);
    // One that closed already closes no second time.
    if (!options.res.destroyed) inFlight.add(exchange);
    options.res.once('close', () => inFlight.delete(exchange));
    await createServer(serving).connect(exchange);
    exchange.serve();
    return exchange;
  };
  const serveLegacy = createLegacyHttp({ ...deps, serve });

  const report = (error: Error) => log.info({ err: error }, 'an MCP request was refused');
  const modern = createMcpHandler(
    ({ era, authInfo, requestInfo }) => {
      const toolsets = requestInfo?.headers.get('x-cloudhal-toolsets');
      return createServer({ era, channel: 'http', ...readSender(authInfo, requestInfo?.url, toolsets) });
    },
    { legacy: 'reject', bus: deps.changes, onerror: report },
  );
  const serveByTheSdk = toNodeHandler(modern, { onerror: report });

  async function handler(req: McpRequest, res: ServerResponse): Promise<void> {
    try {
      if (req.method !== 'POST') throw fail('method_not_allowed', { method: req.method, allow: 'POST' });
      const sender = readSender(req.auth, req.originalUrl ?? req.url, header(req, 'x-cloudhal-toolsets'));
      const type = req.headers['content-type'];
      if (!isJsonContentType(type)) {
        throw fail('unsupported_media', { found: type ?? 'no content type', accepted: 'application/json' });
      }
      const body = parseJson(await readBody(req, deps.maxBodyBytes));
      const { refusal } = sender.caller;
      if (refusal && !mayAnswer(body)) throw refusal;
      await route(req, res, body, sender);
    } catch (thrown) {
      if (res.destroyed || res.headersSent) return;
      if (!(thrown instanceof CloudhalError)) log.error({ err: thrown }, 'an MCP request broke');
      refuse(req, res, thrown instanceof CloudhalError ? thrown : fail('internal'));
    }
  }

  async function route(req: McpRequest, res: ServerResponse, body: unknown, sender: Sender): Promise<void> {
    if (res.destroyed) return;
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      protocolVersionHeader: header(req, 'mcp-protocol-version'),
      mcpMethodHeader: header(req, 'mcp-method'),
      mcpNameHeader: header(req, 'mcp-name'),
      body,
    });
    if (route.kind === 'legacy') return await serveLegacy(req, res, body, sender);
    if (route.kind === 'modern' && isPlainToolRequest(route, req)) {
      const request = route.message as JSONRPCRequest;
      const options = { classification: route.classification, request, res, accepts: readAccept(req.headers.accept) };
      await serve({ era: 'modern', channel: 'http', toolsOnly: true, ...sender }, options);
      return;
    }
    if (route.kind === 'modern' && route.message.method === 'subscriptions/listen') {
      deps.streams.open(sender.caller.principal, res);
      limitToSkills(route.message.params);
    }
    await serveByTheSdk(req, res, body);
  }

  return {
    handler,
    /** Ends what is still in flight; a server drains before it closes. */
    async close(): Promise<void> {
      await modern.close();
      await Promise.all([...inFlight].map((exchange) => exchange.close()));
    },
  };
}

/** A header that was sent twice is one that agrees with nothing. */
export function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function readSender(auth: AuthInfo | undefined, url: string | undefined, named: string | null | undefined): Sender {
  const { principal, principalToken, toolsets, refusal } = (auth?.extra ?? {}) as Partial<Caller> & {
    toolsets?: string[];
  };
  if (principal === undefined || principalToken === undefined) throw fail('unauthorized');
  const asked = new URLSearchParams(url?.split('?')[1]).get('toolsets');
  return {
    caller: { principal, principalToken, ...(refusal && { refusal }) },
    toolsets: readToolsets(asked, named, toolsets),
  };
}

/**
 * The bulk of the traffic, with headers that plainly agree with the body, takes the short way. Everything else, and every
 * header that needs a second look, goes through the SDK's own entry, which answers it by the letter of the protocol.
 */
function isPlainToolRequest({ classification, messageKind, message }: InboundModernRoute, req: McpRequest): boolean {
  const { method, params } = message;
  return (
    messageKind === 'request' &&
    classification.revision === modernRevision &&
    header(req, 'mcp-protocol-version') === modernRevision &&
    header(req, 'mcp-method') === method &&
    (method === 'tools/list' || (method === 'tools/call' && header(req, 'mcp-name') === params?.name))
  );
}

/** The look of an answer in either era; whether anybody waits for it is found out where it is taken. */
function mayAnswer(body: unknown): boolean {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { requestState?: unknown } };
  return method === undefined || (method === 'tools/call' && params?.requestState !== undefined);
}

/** The SDK does not ask who may hear of which resource. Skills are what there is to read here, and all may read them. */
function limitToSkills(params: unknown): void {
  const filter = (params as { notifications?: { resourceSubscriptions?: unknown } } | undefined)?.notifications;
  if (!Array.isArray(filter?.resourceSubscriptions)) return;
  filter.resourceSubscriptions = filter.resourceSubscriptions.filter((uri) => String(uri).startsWith('skill://'));
}

/**
 * A client may read the answer only once it has sent its whole body, so the rest is let in, and dropped, for a while: a
 * connection that is closed before takes the answer with it.
 */
function refuse(req: IncomingMessage, res: ServerResponse, error: CloudhalError): void {
  refuseRequest(res, error, req.complete ? undefined : drained(req));
}

async function drained(req: IncomingMessage): Promise<void> {
  req.resume();
  const timer = setTimeout(() => req.destroy(), 5_000).unref();
  await finished(req).catch(() => undefined);
  clearTimeout(timer);
}
