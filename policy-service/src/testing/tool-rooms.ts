/** The rooms next door, as far as this one sees them: tool-service and skills-service as handlers on the bus. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@cloudhal/shared/bus/bus';
import {
  type Assessment,
  askPolicy,
  assess,
  catalog,
  events,
  getSkill,
  type Resolution,
  resolve,
  run,
  sites,
} from '@cloudhal/shared/contracts';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { argumentsHash, type Permit, type Verifier, verifyPermit } from '@cloudhal/shared/permit';
import type { JsonSchema, ToolFacts } from '@cloudhal/shared/tool';
import type { Static } from 'typebox';
import { ownTools } from '../permit.ts';

type Assessed = Static<typeof Assessment>;

const text = { type: 'string', maxLength: 400 };
const site = { type: 'string', maxLength: 96 };
const confirmToken = { type: 'string', maxLength: 4096 };
const schema = (properties: JsonSchema, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties: { site, ...properties },
  required,
  additionalProperties: false,
});

function tool(name: string, more: Partial<ToolFacts>): ToolFacts {
  return {
    name,
    title: `Title of ${name}`,
    description: name,
    inputSchema: schema({ title: text, confirmToken }),
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    effect: 'edit',
    scopes: ['content:write'],
    pool: 'content',
    toolsets: [],
    assessed: false,
    untrusted: false,
    mutates: true,
    budgetMs: 25_000,
    ...more,
  };
}

const anything = { type: 'object', additionalProperties: true } as JsonSchema;

export const someTools: ToolFacts[] = [
  tool('list_sites', {
    effect: 'read',
    scopes: ['site:read'],
    mutates: false,
    inputSchema: { ...schema({}), properties: {} },
  }),
  tool('get_page', {
    effect: 'read',
    scopes: ['content:read'],
    mutates: false,
    inputSchema: schema({ page: text, limit: { type: 'integer' } }),
  }),
  tool('list_comments', {
    effect: 'read',
    scopes: ['comments:read'],
    mutates: false,
    untrusted: true,
    inputSchema: schema({}),
  }),
  tool('update_page', {}),
  tool('create_page', { inputSchema: schema({ title: text, requestId: text, confirmToken }) }),
  tool('publish', {
    effect: 'auto-publish',
    scopes: ['publish'],
    assessed: true,
    inputSchema: schema({ what: text, weight: { type: 'number' }, confirmToken }),
  }),
  tool('schedule_release', { effect: 'auto-publish', scopes: ['publish', 'releases:write'], assessed: true }),
  tool('undo_change', { assessed: true, inputSchema: schema({ snapshot: text, confirmToken }) }),
  tool('delete_page', {
    effect: 'delete',
    scopes: ['content:delete'],
    inputSchema: schema({ page: text, confirmToken }),
  }),
  tool('add_redirect', {
    effect: 'person',
    scopes: ['redirects:write'],
    inputSchema: schema({ from: text, confirmToken }),
  }),
  tool('propose_term', { scopes: ['taxonomy:write'], inputSchema: schema({ op: text, term: text, confirmToken }) }),
  tool('fetch_asset_url', {
    scopes: ['media:write'],
    pool: 'media',
    untrusted: true,
    inputSchema: schema({ url: text, confirmToken }),
  }),
  ...ownTools.map((name) =>
    tool(name, {
      effect: name.startsWith('request') || name.startsWith('end') || name.startsWith('cancel') ? 'ask' : 'read',
      scopes: [],
      mutates: false,
      inputSchema: ['get_mode', 'request_elevation', 'list_term_proposals'].includes(name)
        ? { ...anything, properties: { site } }
        : anything,
    }),
  ),
];

type Call = { state: 'attempted' | 'succeeded' | 'failed' | 'aborted'; result?: unknown; error?: unknown };

export type ToolRooms = {
  tools: ToolFacts[];
  sites: { id: string; slug: string; title: string }[];
  /** What an assessment says beside the usual; a function may throw. */
  assessment: Partial<Assessed> | (() => Partial<Assessed>);
  skills: Map<string, string[]>;
  /** Permits of calls that took effect, in order. */
  effects: Permit[];
  /** Every permit that arrived. */
  permits: Permit[];
  asked: { assess: number; skills: number };
  /** What the next calls do instead of succeeding: fail with an error, or never end. */
  behaviour: 'succeed' | 'hang' | CloudhalError;
  /** How long a call runs, and how long an assessment takes. */
  runMs: number;
  assessMs: number;
  /** Gives up every call that has not ended, as the sweeper of tool-service does when a worker died. */
  abortAll(): void;
  /** Stops answering: `tools` the assessments and runs, `skills` the skills. */
  cut(what: 'tools' | 'skills'): Promise<void>;
};

export async function openToolRooms(
  bus: Bus,
  permits: Verifier,
  options: { events?: boolean } = {},
): Promise<ToolRooms> {
  const calls = new Map<string, Call>();
  const stops: { tools: (() => Promise<void>)[]; skills: (() => Promise<void>)[] } = { tools: [], skills: [] };
  const rooms: ToolRooms = {
    tools: someTools,
    sites: [{ id: 'site_1', slug: 'main', title: 'Main' }],
    assessment: {},
    skills: new Map([['write-article', ['content:read', 'content:write']]]),
    effects: [],
    permits: [],
    asked: { assess: 0, skills: 0 },
    behaviour: 'succeed',
    runMs: 0,
    assessMs: 0,
    abortAll() {
      for (const [callId, call] of calls) if (call.state === 'attempted') end(callId, { state: 'aborted' });
    },
    async cut(what) {
      await Promise.all(stops[what].map((stop) => stop()));
    },
  };

  function end(callId: string, call: Call): void {
    calls.set(callId, call);
    const approvalId = rooms.permits.find((permit) => permit.callId === callId)?.approval?.id;
    if (options.events === false) return;
    bus.publish(events.callEnded, { callId, state: call.state, ...(approvalId !== undefined && { approvalId }) });
  }

  await bus.answer(catalog, async () => ({
    digest: `${rooms.tools.map(({ inputSchema }) => JSON.stringify(inputSchema))}`,
    tools: rooms.tools,
  }));
  await bus.answer(sites, async () => ({ sites: rooms.sites }));
  stops.skills.push(
    await bus.answer(getSkill, async ({ name }) => {
      rooms.asked.skills++;
      const scopes = rooms.skills.get(name);
      if (scopes === undefined) throw fail('not_found', { what: 'skill', id: name });
      return {
        name,
        title: name,
        description: '',
        scopes,
        digest: `sha256:${name}`,
        files: [],
        source: 'built-in' as const,
      };
    }),
  );
  stops.tools.push(
    await bus.answer(assess, async ({ tool: name }) => {
      rooms.asked.assess++;
      if (rooms.assessMs > 0) await sleep(rooms.assessMs);
      const more = typeof rooms.assessment === 'function' ? rooms.assessment() : rooms.assessment;
      return {
        effect: name === 'publish' ? 'auto-publish' : 'edit',
        reasons: [],
        summary: { title: 'Publish 1 article on "Main"', lines: ['article_1'] },
        base: { diff: 'd1' },
        nodes: 1,
        articlesOnly: true,
        embargoed: [],
        problems: [],
        ...more,
      };
    }),
  );
  for (const message of Object.values(run)) {
    stops.tools.push(
      await bus.answer(message, async ({ permit: token, arguments: args }, context) => {
        const permit = verifyPermit(token, permits);
        rooms.permits.push(permit);
        if (permit.argumentsHash !== argumentsHash(args) || permit.answerTo !== context.answerTo)
          throw fail('permit_invalid');
        const own = (ownTools as readonly string[]).includes(permit.tool);
        if (own) {
          const result = await bus.request(askPolicy, { permit: token, arguments: args }, { timeoutMs: 5_000 });
          return { kind: 'result' as const, result };
        }
        const before = calls.get(permit.callId);
        if (before === undefined) calls.set(permit.callId, { state: 'attempted' });
        else if (before.state === 'succeeded')
          return { kind: 'result' as const, result: before.result as { data: unknown } };
        else throw fail('in_progress');
        if (rooms.behaviour === 'hang')
          await new Promise<never>((_, reject) => context.signal.addEventListener('abort', reject));
        if (rooms.runMs > 0) await sleep(rooms.runMs);
        // The fence: a call that was given up changes nothing any more.
        if (calls.get(permit.callId)?.state !== 'attempted') throw fail('deadline_exceeded_not_applied');
        if (rooms.behaviour instanceof CloudhalError) {
          end(permit.callId, { state: 'failed', error: rooms.behaviour.body });
          throw rooms.behaviour;
        }
        rooms.effects.push(permit);
        const result = { data: { effect: rooms.effects.length, arguments: args }, changed: true };
        end(permit.callId, { state: 'succeeded', result });
        return { kind: 'result' as const, result };
      }),
    );
  }
  await bus.answer(resolve, async ({ callId, abort }): Promise<Static<typeof Resolution>> => {
    const call = calls.get(callId);
    if (abort && (call === undefined || call.state === 'attempted')) calls.set(callId, { state: 'aborted' });
    return (calls.get(callId) ?? { state: 'attempted' }) as Static<typeof Resolution>;
  });
  return rooms;
}
