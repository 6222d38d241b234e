/** The clients that people have: the SDK's second generation in both eras, and its first, which many hosts still ship. */
import {
  Client,
  type ClientCapabilities,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export type Era = '2026-07-28' | '2025-11-25' | 'first generation';
export const eras: Era[] = ['2026-07-28', '2025-11-25', 'first generation'];

export type Question = { message: string; requestedSchema?: unknown; mode?: string; url?: string };
export type Person = (question: Question) => Promise<ElicitResult> | ElicitResult;

export type TestClient = {
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  list(): Promise<string[]>;
  /** The SDK's own client, for what the tests do seldom. */
  sdk: Client;
  close(): Promise<void>;
};
export type CallOptions = { meta?: Record<string, unknown>; signal?: AbortSignal; onprogress?: (p: object) => void };
export type Called = { isError: boolean; structured: unknown; text: string; json: Record<string, unknown> };

export type ConnectOptions = {
  as?: string;
  headers?: Record<string, string>;
  capabilities?: ClientCapabilities;
  /** Answers what the server asks; a client without one declares no elicitation. */
  person?: Person;
};

export async function connect(url: string, era: Era, options: ConnectOptions = {}): Promise<TestClient> {
  const { as = 'ann', headers = {}, person } = options;
  const capabilities = options.capabilities ?? (person ? { elicitation: { form: {} } } : {});
  const requestInit = { headers: { authorization: `Bearer ${as}`, ...headers } };
  const info = { name: 'test client', version: '1.2.3' };
  let client: Client;
  if (era === 'first generation') {
    const first = new FirstClient(info, { capabilities: capabilities as object });
    if (person) first.setRequestHandler(ElicitRequestSchema, async ({ params }) => await person(params as Question));
    await first.connect(new FirstTransport(new URL(url), { requestInit }));
    client = first as unknown as Client;
  } else {
    const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
    client = new Client(info, { capabilities, versionNegotiation: { mode } });
    if (person) client.setRequestHandler('elicitation/create', async ({ params }) => await person(params as Question));
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  }
  return wrap(client, era);
}

/** Clients that a test opens as it goes, to be closed together after it. */
export function openedClients(): { open: typeof connect; closeAll(): Promise<unknown> } {
  const clients: TestClient[] = [];
  return {
    async open(...args) {
      const client = await connect(...args);
      clients.push(client);
      return client;
    },
    closeAll: () => Promise.all(clients.splice(0).map((client) => client.close())),
  };
}

export function wrap(client: Client, era: Era): TestClient {
  return {
    sdk: client,
    async call(name, args = {}, { meta, ...rest } = {}) {
      const params = { name, arguments: args, ...(meta && { _meta: meta }) };
      const result =
        era === 'first generation'
          ? await (client as unknown as FirstClient).callTool(params, undefined, rest)
          : await client.callTool(params, rest);
      const text = (result.content as { text: string }[])[0]?.text ?? '';
      const structured = result.structuredContent;
      return { isError: result.isError === true, structured, text, json: JSON.parse(text) as Record<string, unknown> };
    },
    async list() {
      return (await client.listTools()).tools.map(({ name }) => name);
    },
    close: () => client.close(),
  };
}
