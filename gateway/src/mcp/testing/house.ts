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

export type HouseOptions = Partial<McpEndpointDeps> & {
  /** The bus of each replica; by default all share one in this process. The other rooms are on the first. */
  buses?: Bus[];
};

/** One replica for each ring. */
export async function openHouse(rings: readonly KeyRing[], options: HouseOptions = {}): Promise<House> {
  const { buses = [createInProcessBus({ log })], ...more } = options;
  const [bus] = buses as [Bus];
  const rooms = await openRooms(bus);
  const catalogue = await watchCatalogue({ bus, log });
  const endpoints = await Promise.all(
    rings.map((sessionRing, index) => {
      const deps = { bus: buses[index] ?? bus, log, catalogue: catalogue.current };
      const callTool = createCallTool(deps);
      const studioUrl = 'https://studio.test/studio';
      const own = { ...deps, callTool, sessionRing, replica: `replica-${index}`, version: '0.0.0', studioUrl };
      return createMcpEndpoint({ ...own, ...more });
    }),
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
      await Promise.all(buses.map((each) => each.close()));
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
