import { answer, modern, post } from '@cloudhal/gateway/mcp/testing/raw';
import { type Mode, type Scope, scopes } from '@cloudhal/shared/policy';
import type { ToolResult } from '@cloudhal/shared/tool';
import { tools } from '@cloudhal/tool-service/tools/index';
import { type Args, type Example, type Made, remember } from '../../reference/examples/example.ts';
import { examples } from '../../reference/examples/index.ts';
import { agreeing, type Newsroom, type Site } from '../newsroom.ts';

/** What became of a call: it ran, it waits for a person, or it was refused, each with what it said. */
export type Outcome = 'run' | 'wait' | 'refuse';
type Answered = { code?: string; details?: Record<string, unknown>; result?: ToolResult; text: string };

export type Played = { example: Example; args: Args; outcome: Outcome; result: ToolResult };

const factsOf = new Map(tools.map(({ facts }) => [facts.name, facts]));

type Call = (tool: string, args: Args) => Promise<Answered>;

/** Calls with a key of their own, by a client that cannot be asked. */
export async function freshKey(
  newsroom: Newsroom,
  key: { mode: Mode; sites: string[]; scopes?: readonly Scope[] },
): Promise<Call> {
  const { secret } = await newsroom.owner.createKey({ name: 'fresh', scopes: '*', ...key });
  return (tool, args) => rawCall(newsroom.deployment.url, secret, tool, args);
}

async function rawCall(url: string, secret: string, name: string, args: Args): Promise<Answered> {
  const { body, headers } = modern('tools/call', { name, arguments: args });
  const message = await answer(post(`${url}/mcp`, body, { as: secret, headers }));
  const text = message.result?.content?.[0]?.text ?? JSON.stringify(message.error);
  if (message.result?.isError || message.error) return { ...JSON.parse(text), text };
  return { result: message.result.structuredContent, text };
}

function outcomeOf(answered: Answered): Outcome {
  if (answered.result) return 'run';
  if (answered.code === 'approval_required') return 'wait';
  if (answered.code === 'mode_forbids') return 'refuse';
  throw new Error(answered.text);
}

/**
 * Plays the story on a site of its own, each call with a fresh key in the mode. What does not run by itself is done by the
 * owner's agent, whose person agrees, so that the story goes on.
 */
export async function play(
  newsroom: Newsroom,
  mode: Mode,
  {
    site,
    pictureUrl,
    aside,
  }: { site: Site; pictureUrl: string; aside?: (example: Example, args: Args) => Promise<void> },
): Promise<Played[]> {
  const owner = await newsroom.hire({ key: { mode: 'edits' }, person: agreeing });
  const made: Made = {};
  const played: Played[] = [];
  for (const example of examples) {
    const { tool, as } = example;
    const takesSite = 'site' in (factsOf.get(tool)!.inputSchema.properties as object);
    let args: Args = {};
    try {
      const call = await freshKey(newsroom, { mode, sites: [site.id] });
      const { url } = newsroom.deployment;
      await example.before?.({ url, site: site.id, slug: site.slug, pictureUrl, call }, made);
      args = { ...(takesSite && { site: site.id }), ...example.arguments?.(made) };
      await aside?.(example, args);
      const answered = await call(tool, args);
      const nothingToDo = answered.code !== undefined && answered.code === example.answersWith?.[mode];
      const outcome = nothingToDo ? 'run' : outcomeOf(answered);
      let { result } = nothingToDo ? { result: { data: {} } } : answered;
      if (!result) {
        const carried = await owner.call(tool, args);
        if (carried.isError) throw new Error(carried.text);
        result = carried.structured as ToolResult;
      }
      if (as) remember(made, as, result as never);
      played.push({ example, args, outcome, result });
    } catch (error) {
      throw new Error(`${tool} ${JSON.stringify(args)} in mode ${mode}: ${(error as Error).message}`);
    }
  }
  return played;
}

/** All scopes but one. */
export function without(scope: Scope): Scope[] {
  return scopes.filter((other) => other !== scope);
}
