import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveCall } from './calls/resolve.ts';
import { sweep } from './calls/sweeper.ts';
import type { Moment } from './running.ts';
import { openPageMaker, type PageMaker } from './testing/page-maker.ts';

let runner: PageMaker;
beforeAll(async () => {
  runner = await openPageMaker();
});
afterAll(() => runner.drop());

const page = (slug: string) => ({ slug });

describe('a deadline', () => {
  it('ends a slow call, which then changes nothing even when its handler wakes up late', async () => {
    const callId = uuidv7();
    let wake: () => void = () => undefined;
    const slow = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const error = await runner.holding({ prepare: slow }, () =>
      runner.refused('make_page', page('slow'), { callId, budgetMs: 100 }),
    );
    expect(error).toMatchObject({ code: 'deadline_exceeded_not_applied', applied: 'no' });
    wake();
    await sleep(50);
    expect(await runner.exists('slow')).toBe(false);
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
    const error = await runner.holding({ at: standStill }, () =>
      runner.refused('make_page', page('stood-still'), { callId }),
    );
    expect(error.code).toBe('deadline_exceeded_not_applied');
    expect(await runner.exists('stood-still')).toBe(false);
    expect((await runner.record(callId)).map((line) => line.type)).toEqual(['attempted', 'outcome']);
    await runner.check();
  });

  it('is judged in the commit itself, swept or not', async () => {
    const callId = uuidv7();
    const late = async (moment: Moment) => {
      if (moment === 'committing')
        await runner.database.query('UPDATE tools.calls SET deadline = clock_timestamp() WHERE call_id = $1', [callId]);
    };
    const error = await runner.holding({ at: late }, () => runner.refused('make_page', page('late'), { callId }));
    expect(error.code).toBe('deadline_exceeded_not_applied');
    expect(await runner.exists('late')).toBe(false);
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
    expect(await runner.exists('tombstone')).toBe(false);
  });

  it('is aborted for a call in flight, whose commit then fails', async () => {
    const callId = uuidv7();
    const giveUp = async (moment: Moment) => {
      if (moment === 'committing')
        expect(await resolveCall(runner.database, callId, true)).toEqual({ state: 'aborted' });
    };
    const error = await runner.holding({ at: giveUp }, () => runner.refused('make_page', page('given-up'), { callId }));
    expect(error.code).toBe('deadline_exceeded_not_applied');
    expect(await runner.exists('given-up')).toBe(false);
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
      expect(await runner.exists(`race-${i}`)).toBe(call.status === 'fulfilled');
    }
    await runner.check();
  });
});

describe('a call made again', () => {
  it('is answered as the first time, although what it asks for would be refused by now', async () => {
    await runner.call('create_entry', { type: 'article', fields: { title: 'Again' } });
    const args = { entry: 'again', rev: 1, set: { summary: 'Once.' } };
    const callId = uuidv7();
    const first = await runner.call('update_entry', args, { callId, idempotencyKey: 'again' });
    expect(await runner.call('update_entry', args, { callId })).toEqual(first);
    expect(await runner.call('update_entry', args, { idempotencyKey: 'again' })).toEqual(first);
    expect((await runner.refused('update_entry', args)).code).toBe('rev_conflict');
    expect((await runner.record(callId)).map((line) => [line.type, line.outcome?.state])).toEqual([
      ['attempted', undefined],
      ['outcome', 'succeeded'],
      ['read', 'repeated'],
    ]);
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
    await runner.holding({ run: () => Promise.reject(fail('in_use', { node: 'x', by: 'y' })) }, () =>
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
