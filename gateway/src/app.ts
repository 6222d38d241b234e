import type { IncomingMessage, ServerResponse } from 'node:http';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Router,
} from 'express';
import helmet from 'helmet';
import { type AgentAuth, type Authenticate, challengeFor } from './auth/authenticate.ts';
import { answerError, answerRpcError, codedError, prepareError } from './http/answer-error.ts';
import { stripInternalHeaders } from './http/internal-headers.ts';
import { logOf, requestLog } from './http/request-log.ts';
import { type Edge, hostAllowed, originAllowed } from './origin.ts';
import type { RateLimiter } from './rate-limit.ts';
import { takesComments } from './sites/comment-form.ts';
import { escapeHtml, sendPage } from './studio/html.ts';
import { changesFromOwnPages } from './studio-api/own-pages.ts';

/** The MCP endpoint: finds who calls in `request.auth`, and whether they are over their limit. */
export type McpHandler = (request: IncomingMessage & { auth?: AgentAuth }, response: ServerResponse) => Promise<void>;

export type AppDeps = {
  log: Log;
  edge: Edge;
  trustProxy: boolean | number | string;
  /** Reached over https. */
  secure: boolean;
  authenticate: Authenticate;
  limiter: RateLimiter;
  mcp: McpHandler;
  health: Router;
  /** By its path below `/api/`. A change there has to come from one of our own pages. */
  api: Record<string, Router | Router[]>;
  admin: Router;
  /** One-time addresses that files are sent to. */
  uploads: Router;
  sites: Router[];
  studio: Router;
  /** The path of the public address, without a slash at its end. */
  basePath: string;
};

/** The edge, in order: log → headers → health → host and origin → what each path serves → errors. */
export function createApp(deps: AppDeps): Express {
  const { log, edge } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', deps.trustProxy);
  app.set('query parser', 'simple');

  app.use(requestLog(log));
  app.use(securityHeaders(deps.secure));
  app.use((request, _response, next) => {
    stripInternalHeaders(request);
    next();
  });
  app.use(deps.health);
  app.use(hostAndOrigin(edge));

  app.use('/.well-known', notFound);
  app.use('/mcp', mcpRoutes(deps));

  app.use('/api', noStore);
  app.use('/api/admin', deps.admin);
  app.use('/api', changesFromOwnPages(edge));
  for (const [path, router] of Object.entries(deps.api)) app.use(`/api/${path}`, router);
  app.use('/api', notFound);

  app.use('/uploads', deps.uploads);
  app.use(deps.sites);
  app.use('/studio', deps.studio);
  app.get('/', (_request, response) => response.redirect(302, `${deps.basePath}/studio`));
  app.use(notFound);

  app.use(answerErrors(log));
  return app;
}

/** Helmet's headers never change here, so they are asked for once and not at each request. */
function securityHeaders(secure: boolean): RequestHandler {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  } as unknown as ServerResponse;
  helmetFor(secure)({} as IncomingMessage, response, (error) => {
    if (error) throw error;
  });
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function helmetFor(secure: boolean) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // `same-origin` and not `no-referrer`: with that, a browser sends `Origin: null` with our own forms.
    referrerPolicy: { policy: 'same-origin' },
    // Of this host only: what its neighbours speak is not ours to say.
    strictTransportSecurity: secure && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
}

function hostAndOrigin(edge: Edge): RequestHandler {
  return ({ headers, headersDistinct, method, path }, _response, next) => {
    const oneHost = (headersDistinct.host?.length ?? 0) === 1;
    // A published page has an origin of its own, which its browser calls `null`.
    const fromReader = headers.origin === 'null' && method === 'POST' && takesComments(path);
    if (!oneHost || !hostAllowed(edge, headers.host) || !(fromReader || originAllowed(edge, headers.origin)))
      throw fail('origin_refused');
    next();
  };
}

function mcpRoutes({ log, authenticate, limiter, mcp }: AppDeps): Router {
  const router = express.Router();
  router.post('/', async (request, response) => {
    const auth = await authenticate(request, request.ip);
    const refusal = await refusalOf(limiter, auth);
    const extra = { ...auth.extra, ...(refusal && { refusal }) };
    await mcp(Object.assign(request, { auth: { ...auth, extra } }), response);
  });
  router.all('/', ({ method }) => {
    throw fail('method_not_allowed', { method, allow: 'POST' });
  });
  router.use('/.well-known', notFound);
  const answer: ErrorRequestHandler = (error, request, response, next) => {
    if (response.headersSent) return next(error);
    if (codedError(error).code === 'unauthorized') response.setHeader('WWW-Authenticate', challengeFor(request));
    answerRpcError(error, response, logOf(log, response));
  };
  router.use(answer);
  return router;
}

/** Of a caller who is over the limit of calls. What a key is refused takes nothing from the other keys of its owner. */
async function refusalOf(limiter: RateLimiter, { extra }: AgentAuth): Promise<CloudhalError | undefined> {
  const { principal, ratePerMinute } = extra;
  try {
    await limiter.take('key', principal.keyId!, ratePerMinute);
    await limiter.take('owner', principal.owner!);
    return undefined;
  } catch (error) {
    if (error instanceof CloudhalError) return error;
    throw error;
  }
}

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

function notFound({ path }: { path: string }): never {
  throw fail('not_found', { what: 'page', id: path.slice(0, 100) });
}

/** People get a page, programs JSON. */
function answerErrors(log: Log): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error);
    if (!wantsPage(request)) return answerError(error, response, logOf(log, response));
    const { status, body } = prepareError(error, response, logOf(log, response));
    const text = `<p>${escapeHtml(body.message)}</p><p>${escapeHtml(body.next)}</p>`;
    sendPage(response, status, status === 404 ? 'Not found' : 'That did not work', text);
  };
}

function wantsPage({ path, headers: { accept = '*/*', 'content-type': type = '' } }: Request): boolean {
  if (/^\/(?:api|mcp|\.well-known)(?:\/|$)/.test(path) || type.startsWith('application/json')) return false;
  return accept.includes('text/html') || (/^\/(?:studio|sites|preview)(?:\/|$)/.test(path) && accept.includes('*/*'));
}
