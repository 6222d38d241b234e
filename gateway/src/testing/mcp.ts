import type { Bus } from '@cloudhal/shared/bus/bus';
import { call, catalog } from '@cloudhal/shared/contracts';
import { type Verifier, verifyPrincipal } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import type { ToolFacts } from '@cloudhal/shared/tool';
import type { Received, Sent } from './send.ts';
import type { Replica } from './world.ts';

const object = { type: 'object', properties: {}, required: [] as string[] };

export const whoAmI: ToolFacts = {
  name: 'who_am_i',
  title: 'Who am I',
  description: 'Says who calls.',
  inputSchema: object,
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  effect: 'read',
  scopes: [],
  pool: 'content',
  toolsets: ['core'],
  assessed: false,
  untrusted: false,
  mutates: false,
  budgetMs: 10_000,
};

/** Answers for the other services: a call's result is who policy-service would have seen. */
export async function answerCalls(bus: Bus, verifier: Verifier, tools: ToolFacts[] = [whoAmI]): Promise<void> {
  await bus.answer(catalog, async () => ({ digest: 'test', tools }));
  await bus.answer(call, async ({ principal }) => ({
    kind: 'result' as const,
    result: { data: { principal: verifyPrincipal(principal, verifier) } },
  }));
}

/** `tools/call` of a client of the 2025 revisions. */
export function callTool(replica: Replica, headers: Sent['headers'] = {}, tool = 'who_am_i'): Promise<Received> {
  return replica.send('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } }),
  });
}

/** Who a call with this key runs as; throws where it was refused. */
export async function callerOf(replica: Replica, key: string): Promise<Principal> {
  const { status, text, json } = await callTool(replica, { authorization: `Bearer ${key}` });
  if (status !== 200) throw new Error(`${status} ${text}`);
  const message = json ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
  const principal = message.result?.structuredContent?.data?.principal;
  if (!principal) throw new Error(text);
  return principal;
}

/** The code of an error, whichever way it was answered. */
export function codeOf({ json }: Received): string | undefined {
  return json?.code ?? json?.error?.data?.code;
}
