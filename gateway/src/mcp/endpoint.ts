import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';
import type { KeyRing } from '@cloudhal/shared/key-ring';
import type { Log } from '@cloudhal/shared/log';
import type { Catalogue } from '@cloudhal/shared/tool';
import { type CallTool, maxCallBytes } from '../call-tool.ts';
import type { Admission } from '../rate-limit.ts';
import { watchChanges } from './change-events.ts';
import { watchDecisions } from './decisions.ts';
import { createHttp, type McpRequest } from './http.ts';
import { openQuestions } from './questions.ts';
import { createServer, type Fixtures, type Serving } from './server.ts';
import { createSkills } from './skills.ts';
import { type StdioOptions, serveStdio } from './stdio.ts';
import { createStreams } from './streams.ts';
import { createToolList } from './tool-list.ts';

export type McpEndpointDeps = {
  bus: Bus;
  log: Log;
  callTool: CallTool;
  catalogue: () => Promise<Catalogue>;
  /** Seals `Mcp-Session-Id`s; a ring of its own. */
  sessionRing: KeyRing;
  /** As the server tells its version. */
  version: string;
  /** Base address of Studio, for links to an approval (`<studioUrl>/approvals/<id>`). */
  studioUrl?: string;
  /** Absent: no call is limited. */
  admission?: Admission;
  /** The name of this replica on the bus: letters, digits and dashes. Default: random. */
  replica?: string;
  /** Default 512 KiB, which is what may ride the bus. */
  maxBodyBytes?: number;
  /** How long a call waits for a person; default 10 minutes. */
  waitForPersonMs?: number;
  /** For the conformance program alone. */
  fixtures?: Fixtures;
};

export type McpEndpoint = {
  /** For `/mcp`, every method, behind authentication. The body must not have been read. */
  handler(req: McpRequest, res: ServerResponse): Promise<void>;
  serveStdio(options: StdioOptions): Promise<Stop>;
  close: Stop;
};

/** MCP, both eras, over HTTP and stdio. */
export async function createMcpEndpoint(deps: McpEndpointDeps): Promise<McpEndpoint> {
  const { bus, log, maxBodyBytes = maxCallBytes } = deps;
  const streams = createStreams();
  const questions = await openQuestions({ bus, log, replica: deps.replica ?? randomBytes(8).toString('hex') });
  const decisions = await watchDecisions(bus);
  const changes = await watchChanges({ bus, log });
  const stopKeys = await bus.subscribe(events.keysChanged, ({ keyId }) => streams.drop(keyId));

  const serverDeps = {
    callTool: deps.callTool,
    catalogue: deps.catalogue,
    toolList: createToolList(),
    skills: createSkills({ bus, log }),
    decisions,
    log,
    version: deps.version,
    studioUrl: deps.studioUrl,
    waitForPersonMs: deps.waitForPersonMs ?? 600_000,
    admission: deps.admission,
    fixtures: deps.fixtures,
  };
  const shared = {
    createServer: (serving: Serving) => createServer(serving, serverDeps),
    changes: changes.bus,
    maxBodyBytes,
    log,
  };
  const http = createHttp({ ...shared, streams, questions, sessionRing: deps.sessionRing });
  const connections = new Set<Stop>();

  return {
    handler: http.handler,
    async serveStdio(options) {
      const stop = serveStdio(options, shared);
      connections.add(stop);
      return async () => {
        connections.delete(stop);
        await stop();
      };
    },
    async close() {
      await Promise.all([...connections].map((stop) => stop()));
      await http.close();
      await Promise.all([questions.stop(), decisions.stop(), changes.stop(), stopKeys()]);
    },
  };
}
