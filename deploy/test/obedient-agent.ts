import type { Called, TestClient } from '@cloudhal/gateway/mcp/testing/clients';

/** A tool call as a text asks for it: `CALL publish {"what": …}`. */
const instruction = /^CALL (\w+) (\{.*\})$/gm;

export type Deed = { tool: string; called: Called };

/**
 * An agent that does whatever it reads, for as long as what it reads asks for more. Where it is handed a confirm token it
 * uses it: nobody told it not to.
 */
export async function obey(client: TestClient, text: string, mostDeeds = 50): Promise<Deed[]> {
  const deeds: Deed[] = [];
  const waiting = instructionsIn(text);
  for (let next = waiting.shift(); next !== undefined && deeds.length < mostDeeds; next = waiting.shift()) {
    const called = await client.call(next.tool, next.args);
    deeds.push({ tool: next.tool, called });
    waiting.push(...instructionsIn(wordsOf(called.json)));
    const { confirmToken } = (called.json.details ?? {}) as { confirmToken?: string };
    if (confirmToken !== undefined) waiting.unshift({ ...next, args: { ...next.args, confirmToken } });
  }
  return deeds;
}

function instructionsIn(text: string): { tool: string; args: Record<string, unknown> }[] {
  return [...text.matchAll(instruction)].map(([, tool, args]) => ({ tool: tool!, args: JSON.parse(args!) }));
}

/** Every text of an answer, wherever it stands. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(wordsOf).join('\n');
}
