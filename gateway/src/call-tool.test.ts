import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { call, type Resolution, resolve, run } from '@cloudhal/shared/contracts';
import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import { createLog } from '@cloudhal/shared/log';
import type { ToolFacts } from '@cloudhal/shared/tool';
import type { Static } from 'typebox';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CallTool, createCallTool, type ToolCall } from './call-tool.ts';

const log = createLog('test', { level: 'silent' });
const facts: ToolFacts = {
  name: 'update_entry',
  title: 'Update an entry',
  description: '',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  effect: 'edit',
  scopes: ['content:write'],
  pool: 'content',
  toolsets: ['core'],
  assessed: false,
  untrusted: false,
  mutates: true,
  budgetMs: 200,
};
const readFacts: ToolFacts = { ...facts, name: 'get_entry', effect: 'read', mutates: false };
const asked: ToolCall = {
  principalToken: () => 'signed principal',
  tool: 'update_entry',
  arguments: { title: 'New' },
  canElicit: false,
};

let bus: Bus;
let callTool: CallTool;

beforeEach(() => {
  bus = createInProcessBus({ log });
  callTool = calling(bus);
});

function calling(over: Bus): CallTool {
  const catalogue = async () => ({ digest: 'd', tools: [facts, readFacts] });
  return createCallTool({ bus: over, log, catalogue });
}

async function refusal(answer: Promise<unknown>): Promise<CloudhalError['body']> {
  return await answer.then(
    () => expect.fail('the call was answered'),
    (error: CloudhalError) => error.body,
  );
}

/** Stands in for tool-service's record of calls, and remembers what it was asked. */
async function record(answer: Static<typeof Resolution>) {
  const questions: { callId: string; abort: boolean }[] = [];
  await bus.answer(resolve, async (question) => {
    questions.push(question);
    return answer;
  });
  return questions;
}

/** A call that is never answered, as when a worker hangs or its answer is lost. */
async function silence(): Promise<string[]> {
  const callIds: string[] = [];
  await bus.answer(call, async ({ callId }) => {
    callIds.push(callId);
    return await new Promise<never>(() => {});
  });
  return callIds;
}

it('a tool of commands at this machine is none for anybody else', async () => {
  await bus.answer(call, async () => ({ kind: 'result' as const, result: { data: 'exported' } }));
  expect(await refusal(callTool({ ...asked, tool: 'export_nodes' }))).toMatchObject({ code: 'unknown_tool' });
  expect(await callTool({ ...asked, tool: 'export_nodes', isCommand: true })).toMatchObject({ kind: 'result' });
});

describe('a call that is answered', () => {
  it('comes back with the result and its call id, though another service than the asked one answers', async () => {
    await bus.answer(call, async (query, context) =>
      context.forward(run.content, { permit: query.callId, arguments: query.arguments }, 'tool_unavailable'),
    );
    await bus.answer(run.content, async ({ permit, arguments: args }) => ({
      kind: 'result' as const,
      result: { data: { permit, args } },
    }));
    const reply = await callTool(asked);
    expect(reply).toEqual({
      kind: 'result',
      result: { data: { permit: reply.callId, args: { title: 'New' } } },
      callId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('carries everything that policy-service decides by', async () => {
    let seen: object = {};
    await bus.answer(call, async (query) => {
      seen = query;
      return { kind: 'result' as const, result: { data: null } };
    });
    const answer = { state: 's', action: 'accept' as const, confirm: true };
    const more = { skill: ['odd'], idempotencyKey: 'k', confirmToken: 't', answer, client: { name: 'c' } };
    const { callId } = await callTool({ ...asked, ...more });
    const { principalToken: _, ...told } = asked;
    expect(seen).toEqual({ ...told, ...more, callId, principal: 'signed principal' });
  });

  it('passes an error on with the call id', async () => {
    await bus.answer(call, async () => {
      throw fail('mode_forbids', { mode: 'plan', tool: 'update_entry', class: 'edit' });
    });
    const error = await refusal(callTool(asked));
    expect(error).toMatchObject({ code: 'mode_forbids', applied: 'no', call_id: expect.any(String) });
  });

  it('goes to policy-service also for a tool that nobody has, whatever it is called', async () => {
    const names: string[] = [];
    await bus.answer(call, async ({ tool }) => {
      names.push(tool);
      throw fail('unknown_tool', { tool });
    });
    for (const tool of ['no_such', 'x'.repeat(5_000)]) {
      expect(await refusal(callTool({ ...asked, tool }))).toMatchObject({ code: 'unknown_tool' });
    }
    expect(names).toEqual(['no_such', 'x'.repeat(64)]);
  });
});

describe('a call that surely did not run', () => {
  it('is sent again under the same call id when all workers were busy', async () => {
    const callIds: string[] = [];
    await bus.answer(call, async ({ callId }) => {
      callIds.push(callId);
      if (callIds.length === 1) throw fail('overloaded');
      return { kind: 'result' as const, result: { data: 'done' } };
    });
    const reply = await callTool(asked);
    expect(reply).toMatchObject({ result: { data: 'done' } });
    expect(callIds).toEqual([reply.callId, reply.callId]);
  });

  it('gives up on busy workers before the budget is spent', async () => {
    await bus.answer(call, async () => {
      throw fail('overloaded');
    });
    expect(await refusal(callTool(asked))).toMatchObject({ code: 'overloaded', retryable: true });
  });

  it('is policy_unavailable when nobody decides, and nobody is asked what became of it', async () => {
    const questions = await record({ state: 'aborted' });
    expect(await refusal(callTool(asked))).toMatchObject({ code: 'policy_unavailable', applied: 'no' });
    expect(questions).toEqual([]);
  });

  it('is policy_unavailable when the bus is away from the start', async () => {
    const away = Object.create(bus, { connected: { value: () => false } }) as Bus;
    expect(await refusal(calling(away)(asked))).toMatchObject({ code: 'policy_unavailable' });
  });
});

describe('a mutation whose answer is lost', () => {
  it('ends with the result that is in the record', async () => {
    const callIds = await silence();
    const questions = await record({ state: 'succeeded', result: { data: 'applied', snapshot: 'snap_1' } });
    const reply = await callTool(asked);
    expect(reply).toMatchObject({ kind: 'result', result: { snapshot: 'snap_1' } });
    expect(questions).toEqual([{ callId: callIds[0], abort: true }]);
  });

  it('is given up with the proof that nothing was applied', async () => {
    await silence();
    await record({ state: 'aborted' });
    const error = await refusal(callTool(asked));
    expect(error).toMatchObject({ code: 'deadline_exceeded_not_applied', applied: 'no', retryable: true });
  });

  it('ends with the error that is in the record', async () => {
    await silence();
    await record({ state: 'failed', error: fail('slug_taken', { slug: 'news', by: 'page_1' }).body });
    expect(await refusal(callTool(asked))).toMatchObject({ code: 'slug_taken', call_id: expect.any(String) });
  });

  it('does not repeat an error of the record that is not ours', async () => {
    await silence();
    await record({ state: 'failed', error: { code: 'constructor', message: 'at /srv/tool.js' } });
    const error = await refusal(callTool(asked));
    expect(error.code).toBe('internal');
    expect(JSON.stringify(error)).not.toContain('/srv');
  });

  it('is outcome_unknown, with the call id to look for, only when the record cannot be asked', async () => {
    const callIds = await silence();
    const error = await refusal(callTool(asked));
    expect(error).toMatchObject({ code: 'outcome_unknown', applied: 'unknown', call_id: callIds[0] });
  });

  it('is found out from another worker while one of them hangs', async () => {
    await silence();
    await bus.answer(resolve, () => new Promise<never>(() => {}));
    await record({ state: 'aborted' });
    expect(await refusal(callTool(asked))).toMatchObject({ code: 'deadline_exceeded_not_applied', applied: 'no' });
  });

  it('is found out while there is time left, and nothing is given up for it', async () => {
    const patient = { ...facts, budgetMs: 60_000 };
    const catalogue = async () => ({ digest: 'd', tools: [patient] });
    await silence();
    const questions = await record({ state: 'succeeded', result: { data: 'applied' } });
    expect(await createCallTool({ bus, log, catalogue })(asked)).toMatchObject({ result: { data: 'applied' } });
    expect(questions).toEqual([{ callId: expect.any(String), abort: false }]);
  });

  it('is looked up as well when the worker itself does not know', async () => {
    await bus.answer(call, async () => {
      throw fail('outcome_unknown');
    });
    await record({ state: 'succeeded', result: { data: 'applied' } });
    expect(await callTool(asked)).toMatchObject({ result: { data: 'applied' } });
  });

  it('is aborted when the client goes away', async () => {
    const callIds = await silence();
    const questions = await record({ state: 'aborted' });
    const client = new AbortController();
    const answer = refusal(callTool({ ...asked, signal: client.signal }));
    while (callIds.length === 0) await pause(5);
    client.abort();
    expect(await answer).toMatchObject({ code: 'deadline_exceeded_not_applied' });
    expect(questions).toEqual([{ callId: callIds[0], abort: true }]);
  });

  it('is not sent at all for a client that is gone already', async () => {
    const callIds = await silence();
    await refusal(callTool({ ...asked, signal: AbortSignal.abort() }));
    expect(callIds).toEqual([]);
  });
});

it('a read that takes too long changed nothing, and nobody needs to look', async () => {
  await silence();
  const questions = await record({ state: 'aborted' });
  const error = await refusal(callTool({ ...asked, tool: 'get_entry' }));
  expect(error).toMatchObject({ code: 'deadline_exceeded_not_applied', call_id: expect.any(String) });
  expect(questions).toEqual([]);
});
