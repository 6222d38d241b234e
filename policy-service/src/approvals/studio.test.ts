import { listApprovals } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { type PersonAttested, type Principal, roleScopes } from '@cloudhal/shared/policy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aPerson } from '../testing/facts.ts';
import { anAgentOfItsOwn, codeOf, type House, openHouse, until, yes } from '../testing/house.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ replicas: 2 });
});
afterAll(() => house.stop());
afterEach(async () => {
  house.rooms.assessment = {};
  house.rooms.behaviour = 'succeed';
  house.rooms.runMs = 0;
  await house.database.query('DELETE FROM policy.site_rules');
});

const args = { what: 'all' };
const owner = { ...aPerson, id: 'person:owner' };
const editor = { ...aPerson, id: 'person:editor', role: 'editor' as const };
const reviewer = { ...aPerson, id: 'person:reviewer', role: 'reviewer' as const };
const auditor = { ...aPerson, id: 'person:auditor', role: 'auditor' as const };
const effectsOf = (id: string) => house.rooms.effects.filter((permit) => permit.approval?.id === id);

async function setRules(rules: object): Promise<void> {
  await house.database.query(`INSERT INTO policy.site_rules (site, rules, updated_by) VALUES ('site_1', $1, 'test')`, [
    JSON.stringify(rules),
  ]);
}

describe('approving in Studio', () => {
  it('runs the call there and then, as the agent, with exactly the arguments that were shown', async () => {
    const principal = anAgentOfItsOwn();
    const asking = { principal, skill: 'publisher', idempotencyKey: 'k1', client: { name: 'c', version: '1' } };
    house.rooms.skills.set('publisher', ['publish']);
    const { id } = await house.question('publish', args, asking);
    const callId = uuidv7();
    const reply = await house.decide(id, 'approve', { person: editor, callId });
    expect(reply).toMatchObject({ kind: 'result', result: { data: { arguments: { what: 'all', site: 'site_1' } } } });
    expect(effectsOf(id)).toMatchObject([
      {
        callId,
        principal: { id: principal.id, kind: 'agent' },
        approval: { id, channel: 'studio', decidedBy: 'person:editor' },
        base: { diff: 'd1' },
        scopes: ['publish'],
        skill: { name: 'publisher' },
        idempotencyKey: 'k1',
        client: { name: 'c', version: '1' },
      },
    ]);
    await until(async () => (await house.stateOf(id)) === 'succeeded');
  });

  it('gives the agent the result with its next identical call, once', async () => {
    const principal = anAgentOfItsOwn();
    const { id } = await house.question('publish', args, { principal });
    const reply = await house.decide(id, 'approve');
    const calls = await Promise.all(Array.from({ length: 5 }, () => house.call('publish', args, { principal })));
    const results = calls.filter(({ kind }) => kind === 'result');
    expect(results).toEqual([reply]);
    expect(effectsOf(id)).toHaveLength(1);
    expect(new Set(calls.map((one) => (one.kind === 'result' ? one.kind : one.approval.id))).size).toBe(2);
  });

  it('gives it while the call still runs, and after it failed', async () => {
    const principal = anAgentOfItsOwn();
    const running = await house.question('publish', args, { principal });
    house.rooms.runMs = 300;
    const approving = house.decide(running.id, 'approve');
    await until(async () => (await house.stateOf(running.id)) === 'consumed');
    expect(await house.call('publish', args, { principal })).toEqual(await approving);
    house.rooms.runMs = 0;
    const failing = await house.question('publish', args, { principal });
    house.rooms.behaviour = fail('redirect_loop', { path: '/x' });
    expect(await codeOf(house.decide(failing.id, 'approve'))).toBe('redirect_loop');
    expect(await codeOf(house.call('publish', args, { principal }))).toBe('redirect_loop');
    expect(await codeOf(house.call('publish', args, { principal }))).toBe('no error: approval_required');
  });

  it('tells a refusal and its reason with the next identical call, once', async () => {
    const principal = anAgentOfItsOwn();
    const { id, requestState } = await house.question('publish', args, { principal });
    expect(await house.decide(id, 'reject', { reason: 'after the weekend' })).toEqual({ kind: 'rejected' });
    const refused = await house.call('publish', args, { principal }).catch((error) => error.body);
    expect(refused).toMatchObject({ code: 'approval_rejected', applied: 'no' });
    expect(refused.message).toContain('after the weekend');
    expect((await house.question('publish', args, { principal })).id).not.toBe(id);
    expect(await codeOf(house.call('publish', args, { principal, ...yes({ requestState }) }))).toBe(
      'approval_rejected',
    );
    expect(await house.record('approval.rejected')).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ type: 'person', id: aPerson.id }),
        approval: { id, channel: 'studio', decided_by: aPerson.id, reason: 'after the weekend' },
      }),
    );
  });

  it('runs once when the same decision arrives twice', async () => {
    const { id } = await house.question('publish', args, { principal: anAgentOfItsOwn() });
    const callId = uuidv7();
    house.rooms.runMs = 100;
    const first = house.decide(id, 'approve', { callId });
    await until(async () => (await house.stateOf(id)) === 'consumed');
    expect(['no error: result', 'in_progress']).toContain(await codeOf(house.decide(id, 'approve', { callId })));
    expect(await first).toMatchObject({ kind: 'result' });
    expect(effectsOf(id)).toHaveLength(1);
  });

  it('shows what the call would do now where the site has moved on, and asks again', async () => {
    const principal = anAgentOfItsOwn();
    const { id } = await house.question('publish', args, { principal });
    house.rooms.assessment = { base: { diff: 'd2' }, summary: { title: 'Publish 9 articles', lines: [] } };
    const asked = await house.decide(id, 'approve');
    expect(asked).toMatchObject({
      kind: 'approval_required',
      approval: { summary: { title: 'Publish 9 articles' } },
    });
    expect(asked).not.toHaveProperty('approval.confirmToken');
    const fresh = (asked as { approval: { id: string } }).approval.id;
    expect([await house.stateOf(id), await house.stateOf(fresh)]).toEqual(['stale', 'pending']);
    expect(await codeOf(house.decide(id, 'approve'))).toBe('approval_stale');
    expect(effectsOf(id)).toHaveLength(0);
    expect(await house.decide(fresh, 'approve')).toMatchObject({ kind: 'result' });
    expect(await house.call('publish', args, { principal })).toMatchObject({ kind: 'result' });
  });

  it('ends what can no longer be done', async () => {
    const { id } = await house.question('publish', args, { principal: anAgentOfItsOwn() });
    house.rooms.assessment = () => {
      throw fail('rev_conflict', { node: 'page_1', sent: 1, currentRev: 2 });
    };
    expect(await codeOf(house.decide(id, 'approve'))).toBe('approval_stale');
    expect(await house.stateOf(id)).toBe('stale');
  });

  it('gives the approval back where the call took no effect, and can be repeated', async () => {
    const { id } = await house.question('publish', args, { principal: anAgentOfItsOwn() });
    house.rooms.behaviour = 'hang';
    const lost = house.decide(id, 'approve').catch(() => 'lost');
    await until(async () => house.rooms.permits.some((permit) => permit.approval?.id === id));
    house.rooms.abortAll();
    await until(async () => (await house.stateOf(id)) === 'approved');
    house.rooms.behaviour = 'succeed';
    expect(await house.decide(id, 'approve')).toMatchObject({ kind: 'result' });
    expect(effectsOf(id)).toHaveLength(1);
    void lost;
  });

  it('stops an approved call that took no effect', async () => {
    const principal = anAgentOfItsOwn();
    house.rooms.behaviour = 'hang';
    const question = await house.question('publish', args, { principal });
    await house.call('publish', args, { principal, ...yes(question), timeoutMs: 800 }).catch(() => undefined);
    house.rooms.abortAll();
    await until(async () => (await house.stateOf(question.id)) === 'approved');
    house.rooms.behaviour = 'succeed';
    expect(await codeOf(house.decide(question.id, 'reject'))).toBe('no error: rejected');
    expect(await house.stateOf(question.id)).toBe('revoked');
    expect((await house.call('publish', args, { principal })).kind).toBe('approval_required');
    expect(effectsOf(question.id)).toEqual([]);
  });

  it('R21: comes too late once it has expired', async () => {
    const { id } = await house.question('publish', args, { principal: anAgentOfItsOwn() });
    await house.database.query('UPDATE policy.approval SET expires_at = clock_timestamp() WHERE id = $1', [id]);
    expect(await codeOf(house.decide(id, 'approve'))).toBe('approval_expired');
    expect(await codeOf(house.decide(id, 'reject'))).toBe('approval_expired');
    expect(effectsOf(id)).toHaveLength(0);
  });

  it('R22: one’s own agent’s request may be approved, and is forbidden where four eyes are asked for', async () => {
    const principal = anAgentOfItsOwn({ owner: 'owner' });
    const first = await house.question('publish', args, { principal });
    expect(await house.decide(first.id, 'approve', { person: owner })).toMatchObject({ kind: 'result' });
    expect(effectsOf(first.id)[0]?.approval?.decidedBy).toBe('person:owner');
    await setRules({ fourEyes: true });
    const second = await house.question('publish', { what: 'b' }, { principal });
    expect(await codeOf(house.decide(second.id, 'approve', { person: owner }))).toBe('forbidden');
    // Nor by the client that the owner sits at.
    const answered = house.call('publish', { what: 'b' }, { principal, ...yes(second) });
    expect(await codeOf(answered)).toBe('no error: approval_required');
    expect(await house.decide(second.id, 'approve', { person: editor })).toMatchObject({ kind: 'result' });
    // A person's own call needs another person then, too.
    const own = await house.question('add_redirect', { from: '/x' }, { principal: owner });
    expect(own.personOnly).toBe(true);
    const confirmed = { principal: owner, recentSignIn: true, ...yes(own) };
    expect(await codeOf(house.call('add_redirect', { from: '/x' }, confirmed))).toBe('no error: approval_required');
    expect(await codeOf(house.decide(own.id, 'approve', { person: owner }))).toBe('forbidden');
    expect(await house.decide(own.id, 'approve', { person: editor })).toMatchObject({ kind: 'result' });
  });

  it('a person who left, or may do less now, takes their call along', async () => {
    await setRules({ fourEyes: true });
    const asking = { principal: editor, recentSignIn: true };
    const left = await house.question('add_redirect', { from: '/left' }, asking);
    expect(await codeOf(house.decide(left.id, 'approve', { requester: null }))).toBe('approval_revoked');
    const changed = await house.question('add_redirect', { from: '/less' }, asking);
    const requester = { ...editor, role: 'auditor' as const, scopes: roleScopes.auditor };
    expect(await codeOf(house.decide(changed.id, 'approve', { requester }))).toBe('scope_missing');
    expect(await house.stateOf(changed.id)).toBe('revoked');
    expect([...effectsOf(left.id), ...effectsOf(changed.id)]).toEqual([]);
  });
});

describe('who may decide', () => {
  it.each<[string, Principal, string, Record<string, unknown>, Partial<Principal>, string]>([
    ['an owner anything', owner, 'add_redirect', { from: '/a' }, {}, 'no error: result'],
    ['an editor anything', editor, 'add_redirect', { from: '/b' }, {}, 'no error: result'],
    ['a reviewer an edit', reviewer, 'update_page', { title: 'c' }, { mode: 'manual' }, 'no error: result'],
    ['a reviewer a publish', reviewer, 'publish', { what: 'd' }, {}, 'no error: result'],
    ['a reviewer no deletion', reviewer, 'delete_page', { page: 'e' }, {}, 'forbidden'],
    ['a reviewer nothing that always needs a person', reviewer, 'add_redirect', { from: '/f' }, {}, 'forbidden'],
    ['an auditor nothing', auditor, 'update_page', { title: 'g' }, { mode: 'manual' }, 'forbidden'],
  ])('%s', async (_, person, tool, toolArgs, more, expected) => {
    const { id } = await house.question(tool, toolArgs, { principal: anAgentOfItsOwn(more) });
    expect(await codeOf(house.decide(id, 'approve', { person }))).toBe(expected);
  });

  it('what always needs a person needs a recent sign-in', async () => {
    const { id } = await house.question('add_redirect', { from: '/r' }, { principal: anAgentOfItsOwn() });
    expect(await codeOf(house.decide(id, 'approve', { recentSignIn: false }))).toBe('reauthentication_required');
    expect(await house.stateOf(id)).toBe('pending');
    expect(await codeOf(house.decide(id, 'reject', { recentSignIn: false }))).toBe('no error: rejected');
  });

  it('no agent, and nobody who does not see the site', async () => {
    const principal = anAgentOfItsOwn();
    const { id } = await house.question('publish', args, { principal });
    expect(await codeOf(house.decide(id, 'approve', { person: principal }))).toBe('forbidden');
    const elsewhere = { ...owner, sites: ['site_9'] };
    expect(await codeOf(house.decide(id, 'approve', { person: elsewhere }))).toBe('not_found');
    expect(await codeOf(house.decide('apr_none', 'approve'))).toBe('not_found');
    const asking = house.bus.request(listApprovals, { principal: house.token(principal) }, { timeoutMs: 5_000 });
    expect(await codeOf(asking)).toBe('forbidden');
  });
});

describe('answers that only a signed-in person may give', () => {
  const asked = async (principal: Principal, tool: string, toolArgs: object) => {
    const question = await house.question(tool, { ...toolArgs }, { principal, canElicit: false });
    const accepted = await codeOf(house.call(tool, { ...toolArgs }, { principal, ...yes(question) }));
    return { question, accepted };
  };

  it.each<[PersonAttested, PersonAttested, boolean, boolean]>([
    ['off', 'off', false, false],
    ['always-person', 'off', false, true],
    ['off', 'always-person', false, true],
    ['all', 'off', true, true],
    ['off', 'all', true, true],
    ['always-person', 'all', true, true],
  ])('key %s, site %s', async (key, site, publishOnly, redirectOnly) => {
    const principal = anAgentOfItsOwn({ personAttested: key });
    await setRules({ personAttested: site });
    const publish = await asked(principal, 'publish', args);
    expect(publish.question.personOnly).toBe(publishOnly);
    expect(publish.question.confirmToken === undefined).toBe(publishOnly);
    expect(publish.accepted).toBe(publishOnly ? 'no error: approval_required' : 'no error: result');
    const redirect = await asked(principal, 'add_redirect', { from: '/p' });
    expect(redirect.question.personOnly).toBe(redirectOnly);
    expect(redirect.accepted).toBe(redirectOnly ? 'no error: approval_required' : 'no error: result');
    if (!redirectOnly) return;
    expect(await house.decide(redirect.question.id, 'approve')).toMatchObject({ kind: 'result' });
    // The client that waits learns of it with its state, as often as it asks.
    const { requestState } = redirect.question;
    const again = () => house.call('add_redirect', { from: '/p' }, { principal, ...yes({ requestState }) });
    expect(await again()).toMatchObject({ kind: 'result' });
    expect(await again()).toMatchObject({ kind: 'result' });
    expect(effectsOf(redirect.question.id)).toHaveLength(1);
  });

  it('T3: a stolen key cannot accept its own prompt', async () => {
    const strict = await openHouse({ settings: { personAttested: 'always-person' } });
    try {
      const principal = anAgentOfItsOwn();
      const question = await strict.question('add_redirect', { from: '/t' }, { principal, canElicit: false });
      expect(question).toMatchObject({ personOnly: true });
      expect(question.confirmToken).toBeUndefined();
      await strict.call('add_redirect', { from: '/t' }, { principal, ...yes(question) });
      expect(await strict.stateOf(question.id)).toBe('pending');
      expect(strict.rooms.effects).toHaveLength(0);
    } finally {
      await strict.stop();
    }
  });
});

describe('the list in Studio', () => {
  it('is newest first, in pages, by state, and only of the sites that the person sees', async () => {
    const principal = anAgentOfItsOwn();
    const ids: string[] = [];
    for (const what of ['1', '2', '3', '4', '5'])
      ids.unshift((await house.question('publish', { what }, { principal })).id);
    const list = (more: object) =>
      house.bus.request(listApprovals, { principal: house.token(owner), ...more }, { timeoutMs: 5_000 });
    const first = await list({ states: ['pending'], limit: 2 });
    expect(first.approvals.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await list({ states: ['pending'], limit: 3, cursor: first.cursor });
    expect(second.approvals.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(first.approvals[0]).toMatchObject({
      site: 'site_1',
      tool: 'publish',
      state: 'pending',
      principal: { id: principal.id, name: 'Writer', owner: 'u1' },
      mode: 'edits',
      alwaysPerson: false,
      summary: { title: 'Publish 1 article on "Main"' },
    });
    expect((await list({ id: ids[3] })).approvals.map(({ id }) => id)).toEqual([ids[3]]);
    const blind = { principal: house.token({ ...owner, sites: ['site_9'] }) };
    expect((await list(blind)).approvals).toEqual([]);
    for (const cursor of ['', 'x', Buffer.from('["1; drop",1]').toString('base64url')]) {
      expect(await codeOf(list({ cursor }))).toBe('validation_failed');
    }
  });
});
