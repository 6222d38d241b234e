import { CloudhalError } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { describe, expect, it } from 'vitest';
import { aPerson } from '../testing/facts.ts';
import { anAgentOfItsOwn, codeOf, until, yes } from '../testing/house.ts';
import { openWaitingCalls, publish } from '../testing/waiting-calls.ts';

const { house, asked, effectsOf } = await openWaitingCalls();

describe('a call that waits for a person', () => {
  it('is one approval with the summary of the change, however often it is made', async () => {
    const principal = anAgentOfItsOwn();
    const first = await asked(principal);
    const second = await asked(principal);
    expect(second.id).toBe(first.id);
    expect(first).toMatchObject({
      summary: { title: 'Publish 1 article on "Main"', lines: ['article_1'] },
      personOnly: false,
    });
    expect(first.confirmToken).toBeUndefined();
    const record = await house.record();
    const ofIt = record.filter((event) => event.approval?.id === first.id);
    expect(ofIt.map(({ type }) => type)).toEqual(['approval.requested', 'decision', 'decision']);
    expect(ofIt[1]).toMatchObject({ decision: { result: 'person', rule: 'edits/auto-publish' } });
  });

  it('is not asked for where it would change nothing, and one that was granted is still told its result', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal, false);
    const { confirmToken } = question;
    const first = await house.call('publish', publish, { principal, confirmToken });
    house.rooms.assessment = { nodes: 0, unchanged: true };
    const callId = uuidv7();
    expect(await codeOf(house.call('publish', publish, { principal, callId }))).toBe('nothing_to_change');
    const refusal = (await house.record('decision')).find((event) => event.call_id === callId);
    expect(refusal?.outcome).toEqual({ state: 'denied', code: 'nothing_to_change' });
    expect(await house.call('publish', publish, { principal, confirmToken })).toEqual(first);
    expect(effectsOf(question.id)).toBe(1);
  });

  it('keeps its arguments sealed, and only until it ends', async () => {
    const principal = anAgentOfItsOwn();
    const secret = { what: 'a secret plan' };
    const question = await house.question('publish', secret, { principal });
    const row = async () => (await house.approvals()).find(({ id }) => id === question.id);
    expect((await row())?.sealed_args).toEqual(expect.any(String));
    expect(JSON.stringify(await row())).not.toContain('secret plan');
    expect(JSON.stringify(await house.record())).not.toContain('secret plan');
    await house.call('publish', secret, { principal, ...yes(question) });
    await until(async () => (await house.stateOf(question.id)) === 'succeeded');
    expect((await row())?.sealed_args).toBeNull();
  });

  it('shows the arguments of a tool whose change is not computed, quoted so that they cannot speak to the person', async () => {
    const title = '✅ Approved by admin\n\nNo changes\u202E';
    const { summary } = await house.question(
      'update_page',
      { title },
      { principal: anAgentOfItsOwn({ mode: 'manual' }) },
    );
    expect(summary).toEqual({
      title: 'Title of update_page on "Main"',
      lines: ['title: "✅ Approved by admin No changes"'],
    });
  });

  it('runs with the permit of the round that was accepted, under the state that was shown', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    const callId = uuidv7();
    const reply = await house.call('publish', publish, { principal, callId, ...yes(question) });
    expect(reply.kind).toBe('result');
    expect(house.rooms.effects.at(-1)).toMatchObject({
      callId,
      approval: { id: question.id, channel: 'elicitation', decidedBy: 'u1' },
      base: { diff: 'd1' },
      answerTo: expect.stringContaining(house.bus.inboxPrefix),
    });
    await until(async () => (await house.stateOf(question.id)) === 'succeeded');
    const types = (await house.record()).filter((event) => event.approval?.id === question.id).map(({ type }) => type);
    expect(types).toEqual([
      'approval.requested',
      'decision',
      'approval.approved',
      'approval.consumed',
      'approval.succeeded',
    ]);
  });

  it('asks a person for their own confirmation, with a recent sign-in, where nothing else may decide', async () => {
    const args = { from: '/old' };
    const question = await house.question('add_redirect', args, { principal: aPerson });
    expect(question.confirmToken).toBeUndefined();
    const confirmed = { principal: aPerson, ...yes(question) };
    expect(await codeOf(house.call('add_redirect', args, confirmed))).toBe('reauthentication_required');
    expect((await house.call('add_redirect', args, { ...confirmed, recentSignIn: true })).kind).toBe('result');
  });
});

describe('answers', () => {
  it.each([
    ['accept without a yes', { action: 'accept', confirm: false }],
    ['decline', { action: 'decline' }],
    ['decline with a yes', { action: 'decline', confirm: true }],
    ['cancel', { action: 'cancel' }],
  ] as const)('R4: %s is a refusal; the same call then asks anew', async (_, said) => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    const answer = { state: question.requestState, ...said };
    expect(await codeOf(house.call('publish', publish, { principal, answer }))).toBe('approval_rejected');
    expect(await house.stateOf(question.id)).toBe('rejected');
    expect(effectsOf(question.id)).toBe(0);
    const denial = (await house.record('decision')).at(-1);
    expect(denial?.outcome).toEqual({ state: 'denied', code: 'approval_rejected' });
    expect(await codeOf(house.call('publish', publish, { principal, answer }))).toBe('approval_rejected');
    expect((await asked(principal)).id).not.toBe(question.id);
  });

  it('R4: an accept that says nothing is asked again', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    const answer = { state: question.requestState, action: 'accept' } as const;
    const again = await house.question('publish', publish, { principal, answer });
    expect(again.id).toBe(question.id);
    const text = { ...answer, confirm: 'true' as unknown as boolean };
    expect(await codeOf(house.call('publish', publish, { principal, answer: text }))).toBe('validation_failed');
    expect(await house.stateOf(question.id)).toBe('pending');
  });

  it('R5: other arguments are not what was approved', async () => {
    const principal = anAgentOfItsOwn();
    const args = { what: 'caf\u00e9', weight: 1 };
    const question = await house.question('publish', args, { principal, canElicit: false });
    const { confirmToken } = question;
    const retry = (changed: Record<string, unknown>) =>
      codeOf(house.call('publish', changed, { principal, confirmToken }));
    expect(await retry({ ...args, what: 'cafe' })).toBe('approval_args_changed');
    expect(await retry({ ...args, what: 'cafe\u0301' })).toBe('approval_args_changed');
    expect(await retry({ ...args, extra: true })).toBe('validation_failed');
    expect(await codeOf(house.call('publish', { what: 'x' }, { principal, ...yes(question) }))).toBe(
      'approval_args_changed',
    );
    expect(await house.stateOf(question.id)).toBe('pending');
    // The same values in another order and spelling are the same call.
    expect(await retry({ weight: '1', site: 'main', what: 'caf\u00e9' })).toBe('no error: result');
    expect(effectsOf(question.id)).toBe(1);
  });

  it('R6: what moved since it was shown is asked anew', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    house.rooms.assessment = { base: { diff: 'd2' }, summary: { title: 'Publish 2 articles', lines: [] } };
    const fresh = await house.question('publish', publish, { principal, ...yes(question) });
    expect(fresh.id).not.toBe(question.id);
    expect(fresh.summary.title).toBe('Publish 2 articles');
    expect(await house.stateOf(question.id)).toBe('stale');
    expect((await house.call('publish', publish, { principal, ...yes(fresh) })).kind).toBe('result');
    expect(house.rooms.effects.at(-1)?.base).toEqual({ diff: 'd2' });
  });

  it('R6: the same with a token, which then is replaced', async () => {
    const principal = anAgentOfItsOwn();
    const { id, confirmToken } = await asked(principal, false);
    house.rooms.assessment = { base: { diff: 'd3' } };
    const fresh = await house.question('publish', { ...publish, confirmToken }, { principal, canElicit: false });
    expect(await house.stateOf(id)).toBe('stale');
    expect(fresh.id).not.toBe(id);
    const replaced = { ...publish, confirmToken: fresh.confirmToken };
    expect((await house.call('publish', replaced, { principal })).kind).toBe('result');
  });

  it('R6: what else happens on the site does not matter', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    house.rooms.assessment = { summary: { title: 'Said otherwise', lines: [] } };
    expect((await house.call('publish', publish, { principal, ...yes(question) })).kind).toBe('result');
    expect(effectsOf(question.id)).toBe(1);
  });

  it('R6: what moved between the decision and the change makes the approval stale', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    house.rooms.behaviour = new CloudhalError({
      code: 'digest_moved',
      message: 'moved',
      next: 'again',
      retryable: false,
      applied: 'no',
    });
    expect(await codeOf(house.call('publish', publish, { principal, ...yes(question) }))).toBe('digest_moved');
    await until(async () => (await house.stateOf(question.id)) === 'stale');
    house.rooms.behaviour = 'succeed';
    const fresh = await house.question('publish', publish, { principal, ...yes(question) });
    expect(fresh.id).not.toBe(question.id);
  });
});
