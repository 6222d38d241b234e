import { uuidv7 } from '@cloudhal/shared/ids';
import { openKeyRing } from '@cloudhal/shared/key-ring';
import { describe, expect, it, vi } from 'vitest';
import { anAgentOfItsOwn, codeOf, yes } from '../testing/house.ts';
import { openWaitingCalls, publish } from '../testing/waiting-calls.ts';

const { house, asked, effectsOf } = await openWaitingCalls();

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
