import type { BlobStore } from '@cloudhal/shared/blobs/blob-store';
import { createPostgresBlobs } from '@cloudhal/shared/blobs/postgres-blobs';
import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { presentPrincipal } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { openKeyRing } from '@cloudhal/shared/key-ring';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import { startOutboxRelay } from '@cloudhal/shared/outbox';
import type { Signer } from '@cloudhal/shared/permit';
import type { Mode, Scopes } from '@cloudhal/shared/policy';
import type { ToolResult } from '@cloudhal/shared/tool';
import type { SingleSignOn } from './auth/accounts.ts';
import type { NewKey } from './auth/agent-keys.ts';
import { type Auth, createAuth, type Secrets } from './auth/auth.ts';
import type { KeyView } from './auth/key-records.ts';
import { localPrincipal } from './auth/local-principal.ts';
import type { KeyWish } from './auth/mint-rules.ts';
import { type CallTool, createCallTool } from './call-tool.ts';
import { createReadiness } from './health.ts';
import { listen } from './http/listen.ts';
import { createMailer, type MailSettings } from './mailer.ts';
import { watchCatalogue } from './mcp/catalogue.ts';
import { createMcpEndpoint } from './mcp/endpoint.ts';
import type { Fixtures } from './mcp/server.ts';
import type { StdioOptions } from './mcp/stdio.ts';
import { edgeOf } from './origin.ts';
import { createAdmission, createRateLimiter, type Limits } from './rate-limit.ts';
import { createFormTokens } from './sites/form-tokens.ts';
import { countHits } from './sites/hits.ts';
import { invitationLink } from './studio/invitation-link.ts';
import { watchLive } from './studio-api/live.ts';
import { createWeb } from './web.ts';

export type Settings = {
  version: string;
  /**
   * Absent: only stdio is served. Port 0 takes a free one, and so does a port that is taken while no `publicUrl` names it.
   * `host` is 127.0.0.1 by default.
   */
  listen?: { host?: string; port: number };
  /** Where people and agents reach this deployment; by default this machine. */
  publicUrl?: string;
  /** Whoever reaches Studio is the developer at this machine. Refused unless only this machine can reach it. */
  noAuth?: boolean;
  allowedHosts?: string[];
  allowedOrigins?: string[];
  /** Which proxies may say who the client is, as Express takes it; by default none. */
  trustProxy?: boolean | number | string;
  /** How many gateways share the rate limits. */
  replicas?: number;
  limits?: Partial<Limits>;
  /** Absent: no mail is sent. */
  mail?: MailSettings;
  /** Absent: people sign in with a password. */
  singleSignOn?: SingleSignOn;
  /** How long a stop waits for calls in flight; default 25 s. */
  drainMs?: number;
};

export type Deps = {
  bus: Bus;
  keyValue: KeyValue;
  /** As the role of the gateway. */
  database: Database;
  /** Where files are kept; in the database when absent. */
  blobs?: BlobStore;
  /** Of the same database, for Better Auth, which keeps connections of its own. */
  databaseUrl: string;
  log: Log;
  signer: Signer;
  secrets: Secrets & { kek: Buffer };
  settings: Settings;
  /** For the conformance program alone. */
  fixtures?: Fixtures;
};

/** How much an agent of the developer at this machine may do on its own. */
export type LocalAgent = { mode: Mode; scopes: Scopes };

export type Gateway = {
  /** Without a slash at the end. */
  url: string;
  /** Absent where only stdio is served. */
  port: number | undefined;
  serveStdio(agent: LocalAgent & Pick<StdioOptions, 'stdin' | 'stdout' | 'onClose' | 'toolsets'>): Promise<Stop>;
  /** One call of the developer at this machine; throws the coded error where it is refused or needs a person. */
  callTool(agent: LocalAgent, tool: string, args: Record<string, unknown>): Promise<ToolResult>;
  /** For the developer at this machine, who owns what is made here. */
  createAgentKey(wish: KeyWish): Promise<NewKey>;
  listAgentKeys(): Promise<KeyView[]>;
  revokeAgentKey(keyId: string): Promise<KeyView>;
  /** `undefined` where somebody is the owner already. */
  createFirstOwnerLink(): Promise<string | undefined>;
  stop: Stop;
};

/** What is started is stopped in reverse, also when starting fails half-way. */
export async function start(deps: Deps): Promise<Gateway> {
  const parts: Stop[] = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stopInReverse(parts);
    return stopped;
  };
  try {
    return { ...(await startParts(deps, parts)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(deps: Deps, parts: Stop[]): Promise<Omit<Gateway, 'stop'>> {
  const { bus, keyValue, database, log, settings } = deps;
  const { listener, publicUrl, isLocal } = await openListener(settings);
  if (listener) parts.push(listener.close);
  const edge = edgeOf({ ...settings, publicUrl, ...(listener && isLocal && { loopbackPort: listener.port }) });

  const limiter = createRateLimiter({ ...settings, keyValue, database, log });
  parts.push(await startOutboxRelay({ database, schema: 'gateway', bus, log }));
  const { noAuth = false, singleSignOn } = settings;
  const mailer = settings.mail && createMailer(settings.mail, log);
  if (mailer) parts.push(mailer.stop);
  const outside = { ...(mailer && { mailer }), ...(singleSignOn && { singleSignOn }) };
  const auth = await createAuth({ ...deps, limiter, publicUrl, origins: edge.origins, noAuth, ...outside });
  parts.push(auth.stop);
  parts.push(
    await bus.answer(presentPrincipal, async ({ id }) => {
      const principal = await auth.presentPrincipal(id);
      return { ...(principal !== undefined && { principal }) };
    }),
  );
  const catalogue = await watchCatalogue({ bus, log });
  parts.push(catalogue.stop);
  const sessionRing = await openKeyRing({
    keyValue,
    database,
    log,
    name: 'mcp-session',
    schema: 'gateway',
    kek: deps.secrets.kek,
    // Clients keep a session for as long as they run; without it they could no longer be asked.
    overlapMs: 30 * 86_400_000,
  });
  parts.push(() => sessionRing.stop());

  const isReachable = listener !== undefined || settings.publicUrl !== undefined;
  const callTool = createCallTool({ bus, log, catalogue: catalogue.current });
  const mcp = await createMcpEndpoint({
    bus,
    log,
    callTool,
    catalogue: catalogue.current,
    sessionRing,
    version: settings.version,
    admission: createAdmission({ limiter, keyValue, catalogue: catalogue.current }),
    ...(isReachable && { studioUrl: `${publicUrl}/studio` }),
    ...(deps.fixtures && { fixtures: deps.fixtures }),
  });
  parts.push(mcp.close);

  if (listener) {
    const readiness = createReadiness({ bus, database, log });
    const { trustProxy = false } = settings;
    const formTokens = createFormTokens(deps.secrets.session);
    const hits = countHits({ bus, keyValue, log });
    parts.push(hits.stop);
    const { blobs = createPostgresBlobs(database) } = deps;
    const live = await watchLive(bus);
    const web = createWeb({
      bus,
      blobs,
      database,
      log,
      auth,
      limiter,
      mcp: mcp.handler,
      callTool,
      readiness,
      live,
      ...outside,
      edge,
      publicUrl,
      formTokens,
      hits,
      trustProxy,
    });
    listener.serve(web.app);
    parts.push(async () => {
      readiness.stop();
      await live.stop();
      web.endStreams();
      await listener.drain(settings.drainMs ?? 25_000);
    });
  }
  return {
    url: publicUrl,
    port: listener?.port,
    ...forLocalDeveloper(auth, callTool, publicUrl),
    serveStdio({ mode, scopes, ...options }) {
      const principal = localPrincipal({ mode, scopes });
      return mcp.serveStdio({ ...options, principal, principalToken: () => auth.principalTokens(principal) });
    },
  };
}

async function openListener({ listen: where, publicUrl, noAuth }: Settings) {
  const { host = '127.0.0.1', port } = where ?? {};
  const isLocal = /^(?:127\.|localhost$|::1$)/.test(host);
  if (noAuth && !(isLocal && publicUrl === undefined)) {
    throw new Error('Without sign-in Studio is served to this machine only: leave out the host and the public URL.');
  }
  const listener = port === undefined ? undefined : await listen({ host, port, orAnother: publicUrl === undefined });
  const url = publicUrl ?? `http://localhost${listener === undefined ? '' : `:${listener.port}`}`;
  return { listener, publicUrl: url.replace(/\/+$/, ''), isLocal };
}

function forLocalDeveloper(auth: Auth, callTool: CallTool, publicUrl: string) {
  const owner = () => auth.members.local('local developer');
  return {
    async callTool(agent: LocalAgent, tool: string, args: Record<string, unknown>): Promise<ToolResult> {
      const principalToken = () => auth.principalTokens(localPrincipal(agent));
      const reply = await callTool({ principalToken, tool, arguments: args, canElicit: false, isCommand: true });
      if (reply.kind === 'result') return reply.result;
      const { id, reason } = reply.approval;
      throw fail('approval_required', { reason, how: `It waits in Studio under Approvals as ${id}.`, approval: id });
    },
    createAgentKey: async (wish: KeyWish) => auth.agentKeys.create(await owner(), wish),
    listAgentKeys: async () => auth.agentKeys.list(await owner()),
    revokeAgentKey: async (keyId: string) => auth.agentKeys.revoke(await owner(), keyId),
    async createFirstOwnerLink(): Promise<string | undefined> {
      try {
        const { token } = await auth.members.inviteFirstOwner();
        return invitationLink(publicUrl, token);
      } catch (error) {
        if (error instanceof CloudhalError && error.code === 'owner_exists') return undefined;
        throw error;
      }
    },
  };
}

async function stopInReverse(parts: Stop[]): Promise<void> {
  for (const stop of parts.splice(0).reverse()) await stop();
}
