/** The MCP endpoint as the edge mounts it: real HTTP, round-robin over replicas, with a stand-in for authentication. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import type { KeyRing } from '@cloudhal/shared/key-ring';
import { createLog } from '@cloudhal/shared/log';
import type { Principal } from '@cloudhal/shared/policy';
import { createCallTool } from '../../call-tool.ts';
import { watchCatalogue } from '../catalogue.ts';
import { createMcpEndpoint, type McpEndpoint, type McpEndpointDeps } from '../endpoint.ts';
import type { McpRequest } from '../http.ts';
import { openRooms, type Rooms } from './rooms.ts';

export const log = createLog('test', { level: 'silent' });

export type Person = Principal & { toolsets?: string[] };

export type House = {
  url: string;
  bus: Bus;
  rooms: Rooms;
  endpoints: McpEndpoint[];
  /** Whom a bearer token stands for; an unknown one stands for an agent of that name that may do everything. */
  people: Map<string, Person>;
  /** The replica that serves the next request; moves on by itself. */
  next: number;
  /** How many clients went away before they had their answer. */
  gone: number;
  close(): Promise<void>;
};

export async function openHouse(
  rings: readonly KeyRing[],
  options: Partial<McpEndpointDeps> & { bus?: Bus } = {},
): Promise<House> {
  const bus = options.bus ?? createInProcessBus({ log });
  const rooms = await openRooms(bus);
  const catalogue = await watchCatalogue({ bus, log });
  const shared = { bus, log, catalogue: catalogue.current, version: '0.0.0', studioUrl: 'https://studio.test/studio' };
  const callTool = createCallTool(shared);
  const endpoints = await Promise.all(
    rings.map((sessionRing, index) =>
      createMcpEndpoint({ ...shared, callTool, sessionRing, replica: `replica-${index}`, ...options, bus }),
    ),
  );

  const house: House = {
    url: '',
    bus,
    rooms,
    endpoints,
    people: new Map(),
    next: 0,
    gone: 0,
    async close() {
      rooms.release();
      server.closeAllConnections();
      server.close();
      await Promise.all(endpoints.map((endpoint) => endpoint.close()));
      await catalogue.stop();
      await bus.close();
    },
  };
  const server = createServer((req: McpRequest, res) => {
    const token = req.headers.authorization?.replace('Bearer ', '') ?? 'ann';
    const { toolsets, ...principal }: Person = house.people.get(token) ?? agent(token);
    const extra = { principal, principalToken: () => principal.id, ...(toolsets && { toolsets }) };
    req.auth = { token, clientId: token, scopes: [], extra };
    res.once('close', () => {
      if (!res.writableFinished) house.gone++;
    });
    void endpoints[house.next++ % endpoints.length]?.handler(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  house.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return house;
}

export function agent(name: string, more: Partial<Principal> = {}): Principal {
  return {
    id: `agent:${name}`,
    kind: 'agent',
    name,
    keyId: name,
    keyGeneration: 1,
    mode: 'edits',
    scopes: '*',
    sites: '*',
    remote: true,
    personAttested: 'off',
    confirmTokenFallback: true,
    ...more,
  };
}
