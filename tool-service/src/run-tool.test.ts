import { setTimeout as sleep } from 'node:timers/promises';
import { events, siteUri } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { signPermit } from '@cloudhal/shared/permit';
import { generateSigner } from '@cloudhal/shared/secrets';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runTool } from './run-tool.ts';
import { openPageMaker, type PageMaker } from './testing/page-maker.ts';
import { answerTo } from './testing/test-runner.ts';

let runner: PageMaker;
beforeAll(async () => {
  runner = await openPageMaker();
});
afterAll(() => runner.drop());

const page = (slug: string) => ({ slug });

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
    expect(await runner.exists('expired')).toBe(false);
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
    const error = await runner.holding({ prepare: revokeAndWait }, () =>
      runner.refused('make_page', page('revoked'), principal('gone', 1)),
    );
    expect(error).toMatchObject({ code: 'unauthorized', applied: 'no' });
    expect(await runner.exists('revoked')).toBe(false);
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

  it.each([
    ['a NUL', 'a\0b'],
    ['a lone surrogate', '\ud800'],
  ])('with %s are refused, and reads recorded at the same time are answered', async (_, entry) => {
    const good = () => runner.call('get_entry', { entry: 'permitted' });
    const [error] = await Promise.all([runner.refused('get_entry', { entry }), good(), good(), good()]);
    expect(error).toMatchObject({ code: 'invalid_unicode', details: { path: 'entry' } });
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
    const told = new Promise<unknown>((resolve) => runner.bus.subscribe(events.resourceUpdated, resolve));
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
    expect(await told).toEqual({ uri: siteUri(runner.id) });
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
    await runner.holding({ run: broken }, async () => {
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
