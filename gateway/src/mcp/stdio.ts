import type { Readable, Writable } from 'node:stream';
import type { Stop } from '@cloudhal/shared/bus/bus';
import type { Log } from '@cloudhal/shared/log';
import type { Toolset } from '@cloudhal/shared/tool';
import type { McpServer, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serveBySdk } from '@modelcontextprotocol/server/stdio';
import { faultOf } from './faults.ts';
import type { Serving } from './server.ts';
import { strictLines } from './strict-lines.ts';
import type { Caller } from './tool-call.ts';

export type StdioOptions = Caller & {
  toolsets?: readonly Toolset[];
  /** Called once when the client is gone, or after `stop`. */
  onClose?: () => void;
  stdin?: Readable;
  stdout?: Writable;
};

export type StdioDeps = {
  createServer(serving: Serving): McpServer;
  changes: ServerEventBus;
  maxBodyBytes: number;
  log: Log;
};

/** Serves one client over stdin and stdout, in whichever era it speaks. Nothing but the protocol goes to stdout. */
export function serveStdio(options: StdioOptions, deps: StdioDeps): Stop {
  const { principal, principalToken, toolsets = [], stdin = process.stdin, stdout = process.stdout } = options;
  const lines = strictLines(deps.maxBodyBytes, (error) => {
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', error: faultOf(error), id: null })}\n`);
  });
  const transport = new StdioServerTransport(stdin.pipe(lines), stdout);

  let current: McpServer | undefined;
  const unsubscribe = deps.changes.subscribe((change) => {
    tell(current, change).catch((error: unknown) => deps.log.debug({ err: error }, 'a change was not told'));
  });
  const connection = serveBySdk(
    ({ era }) => {
      current = deps.createServer({ era, channel: 'stdio', caller: { principal, principalToken }, toolsets });
      return current;
    },
    { transport, onerror: (error) => deps.log.info({ err: error }, 'a message was refused') },
  );
  lines.once('close', () => {
    unsubscribe();
    options.onClose?.();
  });

  return async () => {
    await connection.close();
    stdin.unpipe(lines);
    lines.destroy();
  };
}

/** A client of 2026-07-28 hears of what it listens for, one of the 2025 revisions of every list. */
async function tell(mcp: McpServer | undefined, change: ServerEvent): Promise<void> {
  if (!mcp?.isConnected()) return;
  if (change.kind === 'tools_list_changed') mcp.sendToolListChanged();
  else if (change.kind === 'resources_list_changed') mcp.sendResourceListChanged();
  else if (change.kind === 'resource_updated' && mcp.server.getCapabilities().resources?.subscribe) {
    await mcp.server.sendResourceUpdated({ uri: change.uri });
  }
}
