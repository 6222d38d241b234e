import { events } from '@cloudhal/shared/contracts';
import { CloudhalError } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { openKeyRing } from '@cloudhal/shared/key-ring';
import type { Principal } from '@cloudhal/shared/policy';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { aPerson } from '../testing/facts.ts';
import { anAgentOfItsOwn, codeOf, type House, openHouse, until, yes } from '../testing/house.ts';
import { someTools } from '../testing/tool-rooms.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ replicas: 2 });
});
afterAll(() => house.stop());
afterEach(() => {
  house.rooms.assessment = {};
  house.rooms.behaviour = 'succeed';
});

const effectsOf = (id: string) => house.rooms.effects.filter((permit) => permit.approval?.id === id).length;
const publish = { what: 'all' };

async function asked(principal: Principal, canElicit = true) {
  return await house.question('publish', publish, { principal, canElicit });
}

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

describe('keys and rights that change while a call waits', () => {
  it('R7: a revoked key takes its requests with it', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    await house.keyValue.set(`revoked:${principal.keyId}`, '1');
    expect(await codeOf(house.call('publish', publish, { principal, ...yes(question) }))).toBe('unauthorized');
    await until(async () => (await house.stateOf(question.id)) === 'revoked');
    expect(await codeOf(house.decide(question.id, 'approve'))).toBe('approval_revoked');
    expect(effectsOf(question.id)).toBe(0);
  });

  it('R7: also when nobody calls, once it is heard of', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    await house.keyValue.set(`revoked:${principal.keyId}`, '1');
    expect(await codeOf(house.decide(question.id, 'approve', { requester: principal }))).toBe('approval_revoked');
    const other = anAgentOfItsOwn();
    const waiting = await asked(other);
    await house.keyValue.set(`revoked:${other.keyId}`, '1');
    house.bus.publish(events.keysChanged, { keyId: other.keyId ?? '' });
    await until(async () => (await house.stateOf(waiting.id)) === 'revoked');
  });

  it('R8: a rotated key goes on with its approval', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    await house.keyValue.set(`key-generation:${principal.keyId}`, '2');
    const rotated = { ...principal, keyGeneration: 2 };
    expect(await codeOf(house.call('publish', publish, { principal, ...yes(question) }))).toBe('unauthorized');
    expect((await house.call('publish', publish, { principal: rotated, ...yes(question) })).kind).toBe('result');
    expect(house.rooms.effects.at(-1)?.principal.keyGeneration).toBe(2);
  });

  it('R8: in Studio it runs as the key is now, and not at all as it was', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    await house.keyValue.set(`key-generation:${principal.keyId}`, '2');
    expect(await codeOf(house.decide(question.id, 'approve'))).toBe('approval_stale');
    expect(await house.stateOf(question.id)).toBe('pending');
    const requester = { ...principal, keyGeneration: 2 };
    expect(await codeOf(house.decide(question.id, 'approve', { requester: anAgentOfItsOwn() }))).toBe('permit_invalid');
    expect(await codeOf(house.decide(question.id, 'approve', { requester }))).toBe('no error: result');
    expect(house.rooms.effects.at(-1)?.principal.keyGeneration).toBe(2);
  });

  it('R8: a key that lost the scope, or has a new owner, does not', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    const narrowed: Principal = { ...principal, scopes: ['content:read'] };
    expect(await codeOf(house.decide(question.id, 'approve', { requester: narrowed }))).toBe('scope_missing');
    expect(await house.stateOf(question.id)).toBe('revoked');
    const third = await asked(principal);
    expect(await codeOf(house.call('publish', publish, { principal: narrowed, ...yes(third) }))).toBe('scope_missing');
    expect(await house.stateOf(third.id)).toBe('revoked');
    const second = await asked(principal);
    const given = { ...principal, owner: 'u9' };
    expect(await codeOf(house.call('publish', publish, { principal: given, ...yes(second) }))).toBe('approval_revoked');
    expect(await house.stateOf(second.id)).toBe('revoked');
    expect(house.rooms.effects.some((permit) => permit.principal.id === principal.id)).toBe(false);
  });

  it('R9: the policy of the moment counts, for the agent and for the approver', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    const planned = { ...principal, mode: 'plan' as const };
    expect(await codeOf(house.call('publish', publish, { principal: planned, ...yes(question) }))).toBe('mode_forbids');
    const demoted = { ...aPerson, id: 'person:d', role: 'auditor' as const };
    expect(await codeOf(house.decide(question.id, 'approve', { person: demoted }))).toBe('forbidden');
    expect(await house.stateOf(question.id)).toBe('pending');
    const unowned = { ...principal, role: 'reviewer' as const };
    expect(await codeOf(house.decide(question.id, 'approve', { requester: unowned }))).toBe('scope_missing');
    expect(await house.stateOf(question.id)).toBe('revoked');
    const second = await asked(principal);
    expect(await codeOf(house.decide(second.id, 'approve', { requester: planned }))).toBe('mode_forbids');
    expect(await house.stateOf(second.id)).toBe('revoked');
    expect(effectsOf(question.id) + effectsOf(second.id)).toBe(0);
  });

  it('R10: a raised mode needs no answer any more, and the request is withdrawn', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    const raised = { ...principal, mode: 'auto' as const };
    expect((await house.call('publish', publish, { principal: raised })).kind).toBe('result');
    expect(house.rooms.effects.at(-1)?.approval).toBeUndefined();
    expect(await house.stateOf(question.id)).toBe('withdrawn');
    expect(await codeOf(house.decide(question.id, 'approve'))).toBe('approval_decided');
    // A person who says no is heard all the same.
    const second = await asked(principal);
    const no = { state: second.requestState, action: 'decline' } as const;
    expect(await codeOf(house.call('publish', publish, { principal: raised, answer: no }))).toBe('approval_rejected');
  });
});

describe('tokens', () => {
  it('R12: somebody else’s token, or one for another tool or site, is none', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal, false);
    const { confirmToken } = question;
    const other = anAgentOfItsOwn();
    const callId = uuidv7();
    expect(await codeOf(house.call('publish', publish, { principal: other, confirmToken, callId }))).toBe(
      'state_invalid',
    );
    expect(await codeOf(house.call('publish', publish, { principal: other, ...yes(question) }))).toBe('state_invalid');
    expect(await codeOf(house.call('delete_page', { page: 'p' }, { principal, confirmToken }))).toBe('state_invalid');
    const denial = (await house.record('decision')).find((event) => event.call_id === callId);
    expect(denial?.outcome).toEqual({ state: 'denied', code: 'state_invalid' });
    expect(await house.stateOf(question.id)).toBe('pending');
    expect(effectsOf(question.id)).toBe(0);
  });

  it('R13, R14: a token of another replica’s new key is taken, and one of an old key for as long as it verifies', async () => {
    const principal = anAgentOfItsOwn();
    const { keyValue, kek, log } = house.deps;
    const shared = { name: 'approvals', keyValue, database: house.database, schema: 'policy' as const, kek, log };
    const before = await asked(principal, false);
    const ring = await openKeyRing({ ...shared, activationMs: 0 });
    await ring.rotate();
    const pointer = await ring.open<object>('ct', before.confirmToken ?? '');
    const sealedAnew = await ring.seal('ct', pointer);
    expect(sealedAnew.split('.')[1]).not.toBe(before.confirmToken?.split('.')[1]);
    // The old key first: it still verifies.
    const decline = { state: before.requestState, action: 'accept' } as const;
    expect((await house.question('publish', publish, { principal, answer: decline })).id).toBe(before.id);
    expect((await house.call('publish', publish, { principal, confirmToken: sealedAnew })).kind).toBe('result');
    await ring.stop();
  });

  it('R13, R14: an answer sealed with a key that is gone is asked again for the same approval; a token is refused', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal, false);
    const gone = question.requestState.replace(/^v1\.[^.]+\./, 'v1.00c0ffee0000.');
    const again = await house.question('publish', publish, {
      principal,
      answer: { state: gone, action: 'accept', confirm: true },
    });
    expect(again.id).toBe(question.id);
    const token = question.confirmToken?.replace(/^v1\.[^.]+\./, 'v1.00c0ffee0000.');
    expect(await codeOf(house.call('publish', publish, { principal, confirmToken: token ?? '' }))).toBe(
      'state_invalid',
    );
    expect(effectsOf(question.id)).toBe(0);
  });

  it('R15: the clock of the store decides what has expired', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal, false);
    const expire = (id: string) =>
      house.database.query('UPDATE policy.approval SET expires_at = clock_timestamp() WHERE id = $1', [id]);
    await expire(question.id);
    const { confirmToken } = question;
    expect(await codeOf(house.call('publish', publish, { principal, confirmToken }))).toBe('approval_expired');
    const fresh = await house.question('publish', publish, { principal, ...yes(question) });
    expect(fresh.id).not.toBe(question.id);
    expect(await house.stateOf(question.id)).toBe('expired');
    expect((await house.call('publish', publish, { principal, ...yes(fresh) })).kind).toBe('result');
  });

  it.each([-5, 20])('R15: a replica whose clock is off by %i minutes decides the same', async (minutes) => {
    const token = anAgentOfItsOwn();
    const question = await asked(token, false);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
    try {
      const principal = { ...token };
      const { confirmToken } = question;
      expect((await house.call('publish', publish, { principal, confirmToken })).kind).toBe('result');
      const again = await asked(principal, false);
      expect((await house.call('publish', publish, { principal, confirmToken: again.confirmToken })).kind).toBe(
        'result',
      );
    } finally {
      vi.useRealTimers();
    }
  });

  it('R16: a garbled token is none, and the right one is good all the same', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal, false);
    const token = question.confirmToken ?? '';
    const [version, kid, payload = '', mac = ''] = token.split('.');
    const last = mac.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const sameBits = alphabet[alphabet.indexOf(last) ^ 1];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'agent:other' })).toString('base64url');
    const garbled = [
      '',
      'v1',
      '...',
      `${token}=`,
      `${token}\n`,
      ` ${token}`,
      `v2.${kid}.${payload}.${mac}`,
      `${version}.${kid}.${payload}.${mac.slice(0, -1)}${sameBits}`,
      `${version}.${kid}.${payload}.`,
      `${version}.${kid}.${payload}.${'A'.repeat(43)}`,
      `${version}.${kid}.${forged}.${mac}`,
      `${version}.${kid}.${Buffer.from('{"alg":"none"}').toString('base64url')}.${mac}`,
      'x'.repeat(4096),
    ];
    for (const confirmToken of garbled) {
      expect(await codeOf(house.call('publish', publish, { principal, confirmToken }))).toBe('state_invalid');
      const answer = { state: confirmToken, action: 'accept', confirm: true } as const;
      expect(await codeOf(house.call('publish', publish, { principal, answer }))).toBe('state_invalid');
    }
    const huge = 'x'.repeat(1_000_000);
    expect(await codeOf(house.call('publish', publish, { principal, confirmToken: huge }))).toBe('validation_failed');
    expect(effectsOf(question.id)).toBe(0);
    expect((await house.call('publish', publish, { principal, confirmToken: token })).kind).toBe('result');
    expect(effectsOf(question.id)).toBe(1);
  });

  it('R17: a request state is no confirm token, and the other way round', async () => {
    const principal = anAgentOfItsOwn();
    const { id, requestState, confirmToken } = await asked(principal, false);
    expect(await codeOf(house.call('publish', publish, { principal, confirmToken: requestState }))).toBe(
      'state_invalid',
    );
    const answer = { state: confirmToken ?? '', action: 'accept', confirm: true } as const;
    expect(await codeOf(house.call('publish', publish, { principal, answer }))).toBe('state_invalid');
    expect(await house.stateOf(id)).toBe('pending');
  });

  it('R18: an answer that does not say to which question does not count', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    const answer = { action: 'accept', confirm: true } as const;
    const again = await house.question('publish', publish, { principal, answer });
    expect(again.id).toBe(question.id);
    const no = { action: 'decline' } as const;
    expect((await house.question('publish', publish, { principal, answer: no })).id).toBe(question.id);
    expect(effectsOf(question.id)).toBe(0);
  });

  it('R19: a client that cannot be asked this time gets a token where that is allowed', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    expect(question.confirmToken).toBeUndefined();
    const other = await asked(principal, false);
    expect(other.id).toBe(question.id);
    expect(other.confirmToken).toEqual(expect.any(String));
    const strict = anAgentOfItsOwn({ confirmTokenFallback: false });
    expect((await asked(strict, false)).confirmToken).toBeUndefined();
  });

  it('a token does not count once the key may have none', async () => {
    const principal = anAgentOfItsOwn();
    const { id, confirmToken } = await asked(principal, false);
    const strict = { ...principal, confirmTokenFallback: false };
    const again = await house.question('publish', publish, { principal: strict, confirmToken, canElicit: false });
    expect(again).toMatchObject({ id });
    expect(again.confirmToken).toBeUndefined();
    expect(await house.stateOf(id)).toBe('pending');
  });

  it('a call id that comes twice with its answer runs once, and both are told the same', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    const once = { principal, callId: uuidv7(), ...yes(question) };
    const first = await house.call('publish', publish, once);
    expect(await house.call('publish', publish, once)).toEqual(first);
    expect(effectsOf(question.id)).toBe(1);
  });
});

describe('R23: the tool or the policy changes while a call waits', () => {
  it('a changed tool is asked anew', async () => {
    const own = await openHouse();
    try {
      const principal = anAgentOfItsOwn();
      const question = await own.question('publish', publish, { principal });
      const inStudio = await own.question('publish', { what: 'b' }, { principal });
      own.rooms.tools = someTools.map((tool) =>
        tool.name === 'publish' ? { ...tool, inputSchema: { ...tool.inputSchema, description: 'Changed.' } } : tool,
      );
      own.bus.publish(events.toolsChanged, { digest: 'new' });
      await until(async () => {
        const { id } = await own.question('publish', publish, { principal });
        return id !== question.id;
      });
      expect(await own.stateOf(question.id)).toBe('stale');
      const old = await own.question('publish', publish, { principal, ...yes(question) });
      expect(old.id).not.toBe(question.id);
      expect(await codeOf(own.decide(inStudio.id, 'approve'))).toBe('approval_stale');
      expect(await own.stateOf(inStudio.id)).toBe('stale');
      expect(own.rooms.effects).toHaveLength(0);
    } finally {
      await own.stop();
    }
  });

  it('another version of the policy judges anew, and a deny wins', async () => {
    const principal = anAgentOfItsOwn();
    const question = await asked(principal);
    await house.database.query(`UPDATE policy.approval SET policy_version = '0' WHERE id = $1`, [question.id]);
    const planned = { ...principal, mode: 'plan' as const };
    expect(await codeOf(house.call('publish', publish, { principal: planned, ...yes(question) }))).toBe('mode_forbids');
    expect((await house.call('publish', publish, { principal, ...yes(question) })).kind).toBe('result');
    expect(house.rooms.effects.at(-1)?.policyVersion).toBe('1');
  });
});
