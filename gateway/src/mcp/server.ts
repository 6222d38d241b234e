import type { Catalogue, Toolset } from '@cloudhal/shared/tool';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { clientFacts } from './client-facts.ts';
import { protocolErrorOf } from './faults.ts';
import type { Fixtures } from './fixtures.ts';
import { type Caller, type Client, serveToolCall, type ToolCallDeps } from './tool-call.ts';
import type { ToolList } from './tool-list.ts';

export type { Fixtures };

export type ServerDeps = ToolCallDeps & {
  catalogue: () => Promise<Catalogue>;
  toolList: ToolList;
  skills: SkillsExtension;
  version: string;
  fixtures: Fixtures | undefined;
};

/** Whom a server serves, and how: one request over HTTP, or one stdio connection. */
export type Serving = {
  era: 'modern' | 'legacy';
  channel: 'http' | 'stdio';
  caller: Caller;
  toolsets: readonly Toolset[];
  /** Only a tool is called, or the tools are listed: the rest of the server can be left out. */
  toolsOnly?: boolean;
  /** What the client of a 2025 session said; on the other ways the request or the connection says it. */
  client?: Client | undefined;
};

export const modernRevision = '2026-07-28';

const instructions = [
  "Cloudhal works on an organisation's websites. Call get_site first: it says what the site has and what its limits are.",
  'Every update carries the rev of the node you read; on rev_conflict read it again and reapply your change.',
  'Some calls need a person: they are asked in your client or in Studio, with a summary of the change, and an error says how to go on.',
].join(' ');

/** A list changes when a deployment or a key does, and whoever listens is told. */
const listHint = { ttlMs: 60_000, cacheScope: 'private' as const };
const cacheHints = {
  'tools/list': listHint,
  'resources/list': listHint,
  'resources/templates/list': listHint,
  'server/discover': listHint,
};

/** A server for one caller: the SDK's shell with our own handlers, cheap enough to be made for each request. */
export function createServer(serving: Serving, deps: ServerDeps): McpServer {
  const mcp = new McpServer(
    { name: 'cloudhal', title: 'Cloudhal', version: deps.version },
    {
      instructions,
      capabilities: capabilitiesOf(serving),
      cacheHints,
      ...(serving.era === 'modern' && { supportedProtocolVersions: [modernRevision] }),
    },
  );
  mcp.server.onerror = (error) => deps.log.debug({ err: error }, 'an MCP server reported an error');
  if (!serving.toolsOnly) deps.skills.attach(mcp);
  deps.fixtures?.attach(mcp);

  mcp.server.setRequestHandler('tools/list', async ({ params }) => {
    if (params?.cursor !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The list of tools has one page.');
    }
    const catalogue = await deps.catalogue().catch((error: unknown) => {
      throw protocolErrorOf(error);
    });
    const tools = deps.toolList(catalogue, serving.caller.principal.scopes, serving.toolsets);
    return { tools: deps.fixtures ? [...deps.fixtures.tools, ...tools] : tools };
  });

  mcp.server.setRequestHandler('tools/call', async (request, ctx) => {
    const fixture = deps.fixtures?.call(request, ctx);
    if (fixture) return await fixture;
    return await serveToolCall(request, ctx, serving.era, serving.caller, clientOf(serving, ctx, mcp), deps);
  });
  return mcp;
}

/** Changes can be told where there is a way: a stream that the client opened, or a connection that stays. */
function capabilitiesOf({ era, channel, toolsOnly }: Serving): ServerCapabilities {
  const listChanged = era === 'modern' || channel === 'stdio';
  const resources = { listChanged, ...(era === 'modern' && { subscribe: true }) };
  return { tools: { listChanged }, ...(!toolsOnly && { resources }) };
}

function clientOf({ era, channel, client }: Serving, ctx: ServerContext, { server }: McpServer): Client {
  if (era === 'modern') {
    const envelope = (ctx.mcpReq.envelope ?? {}) as Record<string, unknown>;
    return {
      facts: clientFacts(envelope[CLIENT_INFO_META_KEY]),
      capabilities: envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined,
    };
  }
  if (channel === 'http') return client ?? { facts: undefined, capabilities: undefined };
  return { facts: clientFacts(server.getClientVersion()), capabilities: server.getClientCapabilities() };
}
