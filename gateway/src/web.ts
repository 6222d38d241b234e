import type { BlobStore } from '@cloudhal/shared/blobs/blob-store';
import type { Bus } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import { findHouseFile } from '@cloudhal/shared/house-file';
import type { Log } from '@cloudhal/shared/log';
import type { Express } from 'express';
import { createApp, type McpHandler } from './app.ts';
import type { SingleSignOn } from './auth/accounts.ts';
import type { Auth } from './auth/auth.ts';
import type { CallTool } from './call-tool.ts';
import { healthRoutes, type ReadinessCheck } from './health.ts';
import type { Mailer } from './mailer.ts';
import { mediaRoutes } from './media/media-routes.ts';
import { uploadRoutes } from './media/upload-routes.ts';
import type { Edge } from './origin.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { FormTokens } from './sites/form-tokens.ts';
import type { Hits } from './sites/hits.ts';
import { limitReaders } from './sites/limit-readers.ts';
import { sitePages } from './sites/pages.ts';
import { studioApp } from './studio/app.ts';
import { activityRoutes } from './studio-api/activity.ts';
import { adminRoutes } from './studio-api/admin.ts';
import { agentKeyRoutes } from './studio-api/agent-keys.ts';
import { approvalRoutes, elevationRoutes } from './studio-api/approvals.ts';
import { eventRoutes } from './studio-api/events.ts';
import { joinRoutes } from './studio-api/join.ts';
import type { Live } from './studio-api/live.ts';
import { createPassToAccounts } from './studio-api/pass-to-accounts.ts';
import { peopleRoutes } from './studio-api/people.ts';
import { createRecordSignIn } from './studio-api/record-sign-in.ts';
import { sessionRoutes } from './studio-api/session.ts';
import { createSignIn } from './studio-api/sign-in.ts';
import { singleSignOnRoutes } from './studio-api/single-sign-on.ts';
import { siteRoutes, siteRulesRoutes } from './studio-api/sites.ts';
import { toolRoutes } from './studio-api/tools.ts';

export type WebDeps = {
  bus: Bus;
  blobs: BlobStore;
  database: Database;
  log: Log;
  auth: Auth;
  limiter: RateLimiter;
  mcp: McpHandler;
  callTool: CallTool;
  readiness: ReadinessCheck;
  live: Live;
  mailer?: Mailer | undefined;
  singleSignOn?: SingleSignOn | undefined;
  edge: Edge;
  publicUrl: string;
  formTokens: FormTokens;
  hits: Hits;
  trustProxy: boolean | number | string;
};

/** Everything that is served over HTTP, by its path. */
export function createWeb(deps: WebDeps): { app: Express; endStreams(): void } {
  const { bus, blobs, database, log, auth, limiter, edge, publicUrl } = deps;
  const { people, members, failures, principalTokens, presentPrincipal } = auth;
  const pass = createPassToAccounts(people, publicUrl);
  const record = createRecordSignIn(database);
  const { mailer, singleSignOn } = deps;
  const methods = { ...(singleSignOn && { singleSignOn: singleSignOn.name }), passwordReset: mailer !== undefined };
  const signIn = createSignIn({ people, pass, record, limiter, failures, methods });
  const sso = singleSignOnRoutes({ people, members, pass, record, limiter, publicUrl });
  const stream = eventRoutes(people, deps.live);
  const basePath = new URL(publicUrl).pathname.replace(/\/+$/, '');
  const policy = { bus, people, principalTokens, presentPrincipal };

  const app = createApp({
    log,
    edge,
    trustProxy: deps.trustProxy,
    secure: publicUrl.startsWith('https:'),
    authenticate: auth.authenticate,
    limiter,
    mcp: deps.mcp,
    health: healthRoutes(deps.readiness, auth.admitOperator),
    admin: adminRoutes(auth.admitOperator, members, publicUrl),
    api: {
      auth: [signIn.routes(), ...(singleSignOn ? [sso] : [])],

      events: stream.router,
      join: joinRoutes({ members, signIn, limiter }),
      session: sessionRoutes({ people, members, sessions: auth.sessions }),
      'agent-keys': agentKeyRoutes(auth.agentKeys, policy),
      approvals: approvalRoutes(policy),
      elevations: elevationRoutes(policy),
      activity: activityRoutes({ ...policy, log }),
      sites: siteRoutes(policy),
      'site-rules': siteRulesRoutes(policy),
      people: peopleRoutes({ people, members, mailer, publicUrl }),
      tools: toolRoutes({ people, principalTokens, callTool: deps.callTool, limiter }),
    },
    uploads: uploadRoutes({ database, blobs, log, limiter }),
    sites: [
      limitReaders(limiter),
      mediaRoutes(bus, blobs),
      sitePages({ bus, limiter, formTokens: deps.formTokens, hits: deps.hits }),
    ],
    studio: studioApp({ folder: findHouseFile('gateway/studio/dist'), basePath }),
    basePath,
  });
  return { app, endStreams: stream.end };
}
