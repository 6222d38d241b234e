import { setTimeout as sleep } from 'node:timers/promises';
import { events } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { signPermit } from '@cloudhal/shared/permit';
import { generateSigner } from '@cloudhal/shared/secrets';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { resolveCall } from './calls/resolve.ts';
import { sweep } from './calls/sweeper.ts';
import { Input, readTool, writeTool } from './define-tool.ts';
import { type Moment, runTool } from './run-tool.ts';
import { answerTo, openTestRunner, type TestRunner } from './testing/test-runner.ts';
import { pageBody } from './testing/test-site.ts';
import { createEntry } from './tools/entries/create-entry.ts';
import { getEntry } from './tools/entries/get-entry.ts';
import { updateEntry } from './tools/entries/update-entry.ts';

const Anything = Type.Unsafe<unknown>({});
const common = { title: 'Test', description: 'For tests.', output: Anything };
const hints = { destructive: false, idempotent: false };

/** Makes a page; how it goes on is the test's to say. */
const tests: { prepare: () => Promise<void>; run: () => Promise<void> } = {
  prepare: async () => undefined,
  run: async () => undefined,
};
const makePage = writeTool({
  ...common,
  name: 'make_page',
  effect: 'edit',
  scopes: ['content:write'],
  hints,
  input: Input({
    slug: Type.String(),
    requestId: Type.Optional(Type.String()),
    note: Type.Optional(Type.String()),
    dryRun: Type.Optional(Type.Boolean()),
  }),
  prepare: () => tests.prepare(),
  async run({ slug }, draft) {
    await tests.run();
    const node = await draft.create('page', pageBody(slug));
    return { data: { id: node.id }, rev: node.rev };
  },
});
const breakDown = readTool({
  ...common,
  name: 'break_down',
  scopes: ['content:read'],
  input: Input({}),
  run: () => Promise.reject(new Error('SELECT secret FROM /etc/passwd')),
});

let runner: TestRunner;
const moments: { at?: (moment: Moment, callId: string) => Promise<void> } = {};
beforeAll(async () => {
  runner = await openTestRunner([getEntry, createEntry, updateEntry, makePage, breakDown], {
    at: async (moment, callId) => moments.at?.(moment, callId),
  });
});
afterAll(() => runner.drop());

/** Runs `during` with the hooks set, and takes them off again. */
async function holding<T>(
  set: Partial<typeof tests> & { at?: typeof moments.at },
  during: () => Promise<T>,
): Promise<T> {
  const { at, ...handlers } = set;
  Object.assign(tests, handlers);
  if (at) moments.at = at;
  try {
    return await during();
  } finally {
    tests.prepare = tests.run = async () => undefined;
    delete moments.at;
  }
}

const page = (slug: string) => ({ slug });
const exists = async (slug: string) => (await runner.view().find('page', `/${slug}`)) !== undefined;

describe('a permit', () => {
  const entry = { type: 'article', fields: { title: 'Permitted' } };

  it('lets exactly its call run and answers what the tool says', async () => {
    const result = await runner.call('create_entry', entry);
    expect(result).toMatchObject({ changed: true, rev: 1, data: { slug: 'permitted' } });
    expect(result.snapshot).toMatch(/^sn_/);
    const read = await runner.call('get_entry', { entry: 'permitted' });
    expect(read).toMatchObject({ data: { rev: 1, status: 'draft', fields: { title: 'Permitted' } } });
  });

  it.each([
    [
      'forged by another key',
      (): object => ({
        token: signPermit(runner.permitFor('create_entry', entry), {
          ...generateSigner().signer,
          kid: runner.signer.kid,
        }),
      }),
    ],
    [
      'of an unknown key',
      (): object => ({ token: signPermit(runner.permitFor('create_entry', entry), generateSigner().signer) }),
    ],
    ['garbled', (): object => ({ token: 'eyJhbGciOiJub25lIn0.e30.' })],
    ['for other arguments', (): object => ({ arguments: { ...entry, slug: 'other' } })],
    ['for another site', (): object => ({ sites: ['st_other'] })],
    ['for another inbox', (): object => ({ from: '_INBOX_gateway.test.2' })],
    [
      "for an inbox that is not a gateway's",
      (): object => ({ answerTo: 'cloudhal.v1.tools.run.content', from: 'cloudhal.v1.tools.run.content' }),
    ],
    ['for another pool', (): object => ({ pool: 'media' })],
  ])('is refused when it is %s', async (_, options) => {
    const before = await runner.check();
    const error = await runner.refused('create_entry', entry, options());
    expect(error).toMatchObject({ code: 'permit_invalid', applied: 'no' });
    expect(await runner.check()).toEqual(before);
  });

  it('is refused for a tool that is not in the table', async () => {
    expect((await runner.refused('no_such_tool', {})).code).toBe('permit_invalid');
  });

  it('is refused once it has expired, by the clock of the store', async () => {
    const permit = runner.permitFor('make_page', page('expired'));
    const token = signPermit(permit, runner.signer);
    const late = { ...runner.deps, now: () => new Date(Date.now() + 60_000) };
    const context = { answerTo, budgetMs: 5_000, signal: new AbortController().signal };
    await expect(
      runTool(late, 'content', { permit: token, arguments: page('expired') }, context),
    ).rejects.toMatchObject({ code: 'permit_invalid' });
    // A worker whose clock runs behind believes it; the store does not.
    vi.useFakeTimers({ now: Date.now() - 3_600_000, toFake: ['Date'] });
    const old = signPermit(permit, runner.signer);
    const error = await runner.refused('make_page', page('expired'), { token: old });
    vi.useRealTimers();
    expect(error.code).toBe('permit_invalid');
    expect(await exists('expired')).toBe(false);
  });

  it('does not reach past the scopes that it carries', async () => {
    expect(await runner.refused('make_page', page('scope'), { scopes: ['content:read'] })).toMatchObject({
      code: 'scope_missing',
      details: { scope: 'content:write' },
    });
  });

  it('is refused when its key was revoked or changed in the meantime', async () => {
    const principal = (keyId: string, keyGeneration: number) => ({
      principal: { id: `agent:${keyId}`, kind: 'agent' as const, name: 'K', keyId, keyGeneration },
    });
    // What a worker knows of a key is at most a second old when it commits.
    const revokeAndWait = async () => {
      await runner.keyValue.set('revoked:gone', '1');
      await sleep(1_050);
    };
    const error = await holding({ prepare: revokeAndWait }, () =>
      runner.refused('make_page', page('revoked'), principal('gone', 1)),
    );
    expect(error).toMatchObject({ code: 'unauthorized', applied: 'no' });
    expect(await exists('revoked')).toBe(false);
    await runner.keyValue.set('key-generation:rotated', '3');
    expect((await runner.refused('make_page', page('rotated'), principal('rotated', 2))).code).toBe('unauthorized');
    await expect(runner.call('make_page', page('rotated'), principal('rotated', 3))).resolves.toMatchObject({
      changed: true,
    });
  });
});

describe('arguments', () => {
  it('are validated and never coerced', async () => {
    const error = await runner.refused('update_entry', { entry: 'permitted', rev: '1', set: { title: 'x' } });
    expect(error).toMatchObject({ code: 'validation_failed', details: { path: 'rev' } });
  });

  it('are not kept in the record where they are content or secret', async () => {
    const callId = uuidv7();
    const body = `A long text. ${'x'.repeat(200)}`;
    const secret = `chk_live_${'a'.repeat(30)}`;
    await runner.call(
      'create_entry',
      { type: 'article', fields: { title: 'Redacted', summary: secret }, body, note: secret },
      { callId },
    );
    const text = JSON.stringify(await runner.record(callId));
    expect(text).not.toContain('xxxxxxxx');
    expect(text).not.toContain('chk_live');
    expect(text).toContain('[secret]');
    expect(text).toContain('"length":213');
  });
});

describe('a change', () => {
  it('is recorded as attempted and then with its outcome, snapshot and revs', async () => {
    const callId = uuidv7();
    const approval = { id: 'ap_1', channel: 'studio', decidedBy: 'person:1' };
    const heard = new Promise<unknown>((resolve) => runner.bus.subscribe(events.callEnded, resolve));
    const result = await runner.call('make_page', { ...page('recorded'), note: 'Because' }, { callId, approval });
    const [attempted, outcome, ...rest] = await runner.record(callId);
    expect(rest).toEqual([]);
    expect(attempted).toMatchObject({
      type: 'attempted',
      site: runner.id,
      tool: 'make_page',
      note: 'Because',
      actor: { type: 'agent', id: 'agent:ada', key_id: 'key1', on_behalf_of: 'person:1' },
      decision: { result: 'allow', rule: 'edits.edit' },
      approval: { id: 'ap_1', channel: 'studio', decided_by: 'person:1' },
      args_redacted: { slug: 'recorded' },
    });
    expect(outcome).toMatchObject({
      type: 'outcome',
      snapshot_id: result.snapshot,
      outcome: { state: 'succeeded' },
      targets: [{ id: (result.data as { id: string }).id, rev_after: 1 }],
    });
    expect(await heard).toEqual({ callId, approvalId: 'ap_1', state: 'succeeded' });
  });

  it('is applied once however often its call arrives, and answers the same each time', async () => {
    const callId = uuidv7();
    const before = await runner.check();
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => runner.call('make_page', page('once'), { callId })),
    );
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const open = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(done.map((result) => result.snapshot)).size).toBe(1);
    expect(new Set(open)).toEqual(new Set(open.length > 0 ? ['in_progress'] : []));
    expect(await runner.call('make_page', page('once'), { callId })).toEqual(done[0]);
    expect((await runner.check()).seq).toBe(before.seq + 1);
    expect((await runner.refused('make_page', page('else'), { callId })).code).toBe('permit_invalid');
  });

  it('that fails says so, changes nothing, and is recorded with its code', async () => {
    const callId = uuidv7();
    await runner.call('make_page', page('failing'));
    const error = await runner.refused('make_page', page('failing'), { callId });
    expect(error).toMatchObject({ code: 'slug_taken', applied: 'no', call_id: callId });
    expect((await runner.record(callId)).map((line) => [line.type, line.outcome?.state, line.outcome?.code])).toEqual([
      ['attempted', undefined, undefined],
      ['outcome', 'failed', 'slug_taken'],
    ]);
    expect((await runner.refused('make_page', page('failing'), { callId })).code).toBe('slug_taken');
  });

  it('that breaks down tells nothing of the inside, and is held back after three times', async () => {
    const broken = async () => Promise.reject(new TypeError('at /srv/secret.ts:1'));
    await holding({ run: broken }, async () => {
      for (let i = 0; i < 3; i++) {
        const error = await runner.refused('make_page', page('broken'));
        expect(error.code).toBe('internal');
        expect(JSON.stringify(error)).not.toContain('secret');
      }
    });
    expect((await runner.refused('make_page', page('broken'))).code).toBe('tool_quarantined');
    await expect(runner.call('make_page', page('not-broken'))).resolves.toMatchObject({ changed: true });
  });

  it('that only asks what would happen changes nothing and is recorded as a read', async () => {
    const callId = uuidv7();
    const before = await runner.check();
    const result = await runner.call('make_page', { ...page('dry'), dryRun: true }, { callId });
    expect(result).toMatchObject({ changed: false, data: { id: expect.stringMatching(/^pg_/) } });
    expect(await runner.check()).toEqual(before);
    expect((await runner.record(callId)).map((line) => line.type)).toEqual(['read']);
  });

  it('is refused while the record is too far behind', async () => {
    const behind = {
      ...runner.deps,
      backlog: {
        check: () => {
          throw fail('audit_unavailable');
        },
      },
    };
    const permit = signPermit(runner.permitFor('make_page', page('behind')), runner.signer);
    const context = { answerTo, budgetMs: 5_000, signal: new AbortController().signal };
    await expect(runTool(behind, 'content', { permit, arguments: page('behind') }, context)).rejects.toMatchObject({
      code: 'audit_unavailable',
    });
  });
});

describe('a deadline', () => {
  it('ends a slow call, which then changes nothing even when its handler wakes up late', async () => {
    const callId = uuidv7();
    let wake: () => void = () => undefined;
    const slow = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const error = await holding({ prepare: slow }, () =>
      runner.refused('make_page', page('slow'), { callId, budgetMs: 100 }),
    );
    expect(error).toMatchObject({ code: 'deadline_exceeded_not_applied', applied: 'no' });
    wake();
    await sleep(50);
    expect(await exists('slow')).toBe(false);
    expect((await runner.record(callId)).map((line) => line.outcome?.state)).toEqual([undefined, 'aborted']);
  });

  it('fences a worker that stood still past it and was swept', async () => {
    const callId = uuidv7();
    const standStill = async (moment: Moment) => {
      if (moment !== 'committing') return;
      await runner.database.query(
        `UPDATE tools.calls SET deadline = clock_timestamp() - interval '5 seconds' WHERE call_id = $1`,
        [callId],
      );
      expect((await sweep(runner.database, 0)).map((row) => row.call_id)).toContain(callId);
    };
    const error = await holding({ at: standStill }, () => runner.refused('make_page', page('stood-still'), { callId }));
    expect(error.code).toBe('deadline_exceeded_not_applied');
    expect(await exists('stood-still')).toBe(false);
    expect((await runner.record(callId)).map((line) => line.type)).toEqual(['attempted', 'outcome']);
    await runner.check();
  });

  it('is judged in the commit itself, swept or not', async () => {
    const callId = uuidv7();
    const late = async (moment: Moment) => {
      if (moment === 'committing')
        await runner.database.query('UPDATE tools.calls SET deadline = clock_timestamp() WHERE call_id = $1', [callId]);
    };
    const error = await holding({ at: late }, () => runner.refused('make_page', page('late'), { callId }));
    expect(error.code).toBe('deadline_exceeded_not_applied');
    expect(await exists('late')).toBe(false);
  });
});

describe('the truth about a call', () => {
  it('is its result once it was applied', async () => {
    const callId = uuidv7();
    const result = await runner.call('make_page', page('resolved'), { callId });
    expect(await resolveCall(runner.database, callId, true)).toEqual({ state: 'succeeded', result });
  });

  it('is aborted for a call that never arrived, and it never will be applied', async () => {
    const callId = uuidv7();
    expect(await resolveCall(runner.database, callId, false)).toEqual({ state: 'attempted' });
    expect(await resolveCall(runner.database, callId, true)).toEqual({ state: 'aborted' });
    expect((await runner.refused('make_page', page('tombstone'), { callId })).code).toBe(
      'deadline_exceeded_not_applied',
    );
    expect(await exists('tombstone')).toBe(false);
  });

  it('is aborted for a call in flight, whose commit then fails', async () => {
    const callId = uuidv7();
    const giveUp = async (moment: Moment) => {
      if (moment === 'committing')
        expect(await resolveCall(runner.database, callId, true)).toEqual({ state: 'aborted' });
    };
    const error = await holding({ at: giveUp }, () => runner.refused('make_page', page('given-up'), { callId }));
    expect(error.code).toBe('deadline_exceeded_not_applied');
    expect(await exists('given-up')).toBe(false);
    expect((await runner.record(callId)).map((line) => line.outcome?.state)).toEqual([undefined, 'aborted']);
  });

  it('is definite whoever is first: the commit or the one who gives up', async () => {
    for (let i = 0; i < 20; i++) {
      const callId = uuidv7();
      const [call, resolved] = await Promise.allSettled([
        runner.call('make_page', page(`race-${i}`), { callId }),
        sleep(i / 2).then(() => resolveCall(runner.database, callId, true)),
      ]);
      if (resolved.status === 'rejected') throw resolved.reason;
      expect(resolved.value.state).toBe(call.status === 'fulfilled' ? 'succeeded' : 'aborted');
      expect(await exists(`race-${i}`)).toBe(call.status === 'fulfilled');
    }
    await runner.check();
  });
});

describe('an idempotency key', () => {
  const make = (slug: string, idempotencyKey: string, more = {}) =>
    runner.call('make_page', page(slug), { idempotencyKey, ...more });

  it('gives the stored result to the same call made again', async () => {
    const first = await make('key-same', 'k1');
    expect(await make('key-same', 'k1')).toEqual(first);
    expect(await runner.call('make_page', page('key-same'), { idempotencyKey: 'k1' })).toEqual(first);
  });

  it("is refused for another call, and is each principal's own", async () => {
    await make('key-other-1', 'k2');
    expect((await runner.refused('make_page', page('key-other-2'), { idempotencyKey: 'k2' })).code).toBe(
      'idempotency_conflict',
    );
    const principal = { id: 'agent:bob', kind: 'agent' as const, name: 'Bob' };
    await expect(make('key-other-2', 'k2', { principal })).resolves.toMatchObject({ changed: true });
  });

  it('is given back by a call that failed', async () => {
    await holding({ run: () => Promise.reject(fail('in_use', { node: 'x', by: 'y' })) }, () =>
      runner.refused('make_page', page('key-failed'), { idempotencyKey: 'k3' }),
    );
    await expect(make('key-failed', 'k3')).resolves.toMatchObject({ changed: true });
  });

  it('is one whether sent as an argument or beside the call, and two different ones are refused', async () => {
    const args = { ...page('key-argument'), requestId: 'k4' };
    const first = await runner.call('make_page', args);
    expect(await runner.call('make_page', args, { idempotencyKey: 'k4' })).toEqual(first);
    expect((await runner.refused('make_page', args, { idempotencyKey: 'k5' })).code).toBe('validation_failed');
  });

  it('makes one page of ten calls at once', async () => {
    const before = await runner.check();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => make('key-race', 'k6')));
    for (const result of results) if (result.status === 'rejected') expect(result.reason.code).toBe('in_progress');
    expect((await runner.check()).seq).toBe(before.seq + 1);
  });

  it('is forgotten after a day', async () => {
    await make('key-old-1', 'k7');
    await runner.database.query(
      `UPDATE tools.calls SET created_at = now() - interval '25 hours' WHERE idempotency_key = 'k7'`,
    );
    await expect(make('key-old-2', 'k7')).resolves.toMatchObject({ changed: true });
  });
});

describe('a read', () => {
  it('is one line of the record, also when it fails', async () => {
    const [good, bad] = [uuidv7(), uuidv7()];
    await runner.call('get_entry', { entry: 'permitted' }, { callId: good });
    await runner.refused('get_entry', { entry: 'nowhere' }, { callId: bad });
    expect((await runner.record(good)).map((line) => [line.type, line.outcome])).toMatchObject([
      ['read', { state: 'succeeded' }],
    ]);
    expect((await runner.record(bad)).map((line) => [line.type, line.outcome])).toMatchObject([
      ['read', { state: 'failed', code: 'not_found' }],
    ]);
  });

  it('is not answered when it cannot be recorded', async () => {
    const deaf = { ...runner.deps, recordRead: () => Promise.reject(fail('audit_unavailable')) };
    const permit = signPermit(runner.permitFor('get_entry', { entry: 'permitted' }), runner.signer);
    const context = { answerTo, budgetMs: 5_000, signal: new AbortController().signal };
    await expect(
      runTool(deaf, 'content', { permit, arguments: { entry: 'permitted' } }, context),
    ).rejects.toMatchObject({ code: 'audit_unavailable' });
  });

  it('that breaks down tells nothing of the inside', async () => {
    const error = await runner.refused('break_down', {});
    expect(error.code).toBe('internal');
    expect(JSON.stringify(error)).not.toMatch(/SELECT|passwd/);
  });
});
