/** Stands in for the other rooms: a small policy and tool service whose tools do what a test needs. */
import { randomUUID } from 'node:crypto';
import type { Bus } from '@cloudhal/shared/bus/bus';
import {
  type CallRequest,
  call,
  catalog,
  events,
  getSkill,
  listSkills,
  readSkill,
  resolve,
} from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import type { ToolFacts, ToolResult } from '@cloudhal/shared/tool';
import type { Static } from 'typebox';

export type Call = Static<typeof CallRequest>;
type Row = { id: string; principal: string; tool: string; args: string; state: 'pending' | 'approved' | 'rejected' };

export type Rooms = {
  /** Every round that policy-service was asked about. */
  calls: Call[];
  approvals: Row[];
  /** Call ids whose fate was asked for. */
  resolved: string[];
  /** A person answers in Studio. */
  decide(id: string, state: 'approved' | 'rejected'): void;
  /** Lets go of the calls of `wait`. */
  release(): void;
  stopSkills(): Promise<void>;
};

export const catalogue = {
  digest: 'one',
  tools: [
    tool('echo', { scopes: ['content:read'], toolsets: ['core'] }),
    tool('publish', { scopes: ['publish'], effect: 'publish', mutates: true, toolsets: ['core', 'release'] }),
    tool('make_public', { scopes: ['people:write'], effect: 'person', mutates: true, toolsets: ['editorial'] }),
    tool('look', { scopes: ['media:read'], toolsets: ['media'] }),
    tool('fail', { scopes: ['content:read'], toolsets: ['media'] }),
    tool('wait', {
      scopes: ['content:write'],
      effect: 'edit',
      mutates: true,
      budgetMs: 30_000,
      toolsets: ['editorial'],
    }),
  ],
};

function tool(name: string, more: Partial<ToolFacts>): ToolFacts {
  return {
    name,
    title: name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object', properties: {}, required: [] },
    outputSchema: { type: 'object', properties: { data: {} }, required: ['data'] },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    effect: 'read',
    scopes: [],
    pool: 'content',
    toolsets: [],
    assessed: false,
    untrusted: false,
    mutates: false,
    budgetMs: 10_000,
    ...more,
  };
}

const skill = {
  name: 'write-article',
  title: 'Write an article',
  description: 'How to write an article.',
  scopes: ['content:write'],
  digest: 'sha256:0',
  files: [
    { path: 'SKILL.md', bytes: 70, sha256: '0', mimeType: 'text/markdown' },
    { path: 'references/style.md', bytes: 8, sha256: '0', mimeType: 'text/markdown' },
  ],
  source: 'built-in' as const,
};
const texts: Record<string, string> = {
  'SKILL.md': '---\nname: write-article\ndescription: How to write an article.\n---\n# Steps\n',
  'references/style.md': '# Style\n',
};

export async function openRooms(bus: Bus): Promise<Rooms> {
  const rooms: Rooms = {
    calls: [],
    approvals: [],
    resolved: [],
    decide(id, state) {
      const row = rooms.approvals.find((approval) => approval.id === id);
      if (row) row.state = state;
      bus.publish(events.approvalsChanged, { id, state: state === 'approved' ? 'succeeded' : 'rejected' });
    },
    release: () => release(),
    stopSkills: async () => void (await Promise.all(skillStops.map((stop) => stop()))),
  };
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });

  await bus.answer(catalog, async () => catalogue);
  const skillStops = [
    await bus.answer(listSkills, async () => ({ digest: 'one', skills: [skill], problems: [] })),
    await bus.answer(getSkill, async ({ name }) => {
      if (name !== skill.name) throw fail('not_found', { what: 'skill', id: name });
      return skill;
    }),
    await bus.answer(readSkill, async ({ name, path }) => {
      const text = name === skill.name ? texts[path] : undefined;
      if (text === undefined) throw fail('not_found', { what: 'file', id: path });
      return { text, mimeType: 'text/markdown' };
    }),
  ];
  await bus.answer(resolve, async ({ callId }) => {
    rooms.resolved.push(callId);
    return { state: 'aborted' as const };
  });
  await bus.answer(call, async (query) => {
    rooms.calls.push(query);
    if (query.tool === 'no_such_tool') throw fail('unknown_tool', { tool: query.tool });
    if (query.tool === 'echo') return result({ principal: query.principal, ...query.arguments });
    if (query.tool === 'look')
      return { kind: 'result', result: { data: 1, images: [{ mimeType: 'image/png', base64: 'AAAA' }] } };
    if (query.tool === 'fail') throw fail('rev_conflict', { node: 'page_1', sent: 1, currentRev: 2 });
    if (query.tool === 'wait') return await released.then(() => result('released'));
    return approve(query, rooms.approvals);
  });
  return rooms;
}

/** One approval for each identical call, answered by an answer with its state, by its token, or in Studio. */
function approve(query: Call, approvals: Row[]) {
  const { principal, tool } = query;
  const { confirmToken = query.confirmToken, ...rest } = query.arguments;
  const args = JSON.stringify(rest);
  let row = approvals.find((one) => one.principal === principal && one.tool === tool && one.args === args);
  if (row?.state === 'rejected') {
    approvals.splice(approvals.indexOf(row), 1);
    throw fail('approval_rejected', { because: '' });
  }
  if (row === undefined) {
    row = { id: `appr_${randomUUID()}`, principal, tool, args, state: 'pending' };
    approvals.push(row);
  }
  const { answer } = query;
  if (answer) {
    if (answer.state !== `state ${row.id}`) throw fail('state_invalid');
    if (answer.action !== 'accept' || answer.confirm === false) {
      approvals.splice(approvals.indexOf(row), 1);
      throw fail('approval_rejected', { because: '' });
    }
    if (answer.confirm === true) row.state = 'approved';
  }
  if (confirmToken !== undefined) {
    if (confirmToken !== `token ${row.id}`) throw fail('state_invalid');
    row.state = 'approved';
  }
  if (row.state === 'approved') {
    approvals.splice(approvals.indexOf(row), 1);
    return result({ ran: tool, ...rest });
  }
  const personOnly = tool === 'make_public';
  return {
    kind: 'approval_required' as const,
    approval: {
      id: row.id,
      summary: { title: 'Publish 1 article on "Example"', lines: ['+ "Spring news"', '- "Old news"'] },
      reason: 'publishing needs a person in mode edits',
      expiresAt: '2030-01-01T00:00:00.000Z',
      requestState: `state ${row.id}`,
      ...(!query.canElicit && !personOnly && { confirmToken: `token ${row.id}` }),
      personOnly,
    },
  };
}

function result(data: unknown): { kind: 'result'; result: ToolResult } {
  return { kind: 'result', result: { data } };
}
