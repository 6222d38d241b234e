import { events } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import type { Principal } from '@cloudhal/shared/policy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { taintedUntil } from '../taint-store.ts';
import { aPerson } from '../testing/facts.ts';
import { anAgentOfItsOwn, codeOf, type House, openHouse, type Question, until, yes } from '../testing/house.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ replicas: 2 });
});
afterAll(() => house.stop());
afterEach(() => {
  house.rooms.behaviour = 'succeed';
  house.rooms.runMs = 0;
});

const effectsOf = (id: string) => house.rooms.effects.filter((permit) => permit.approval?.id === id).length;
const args = { what: 'all' };
const anna = { ...aPerson, id: 'person:anna', name: 'Anna', role: 'editor' as const };

/** Many agents at once, a few at a time; each with a question of its own. */
async function forMany(count: number, race: (principal: Principal, question: Question) => Promise<void>) {
  const numbers = Array.from({ length: count }, (_, i) => i);
  while (numbers.length > 0) {
    await Promise.all(
      numbers.splice(0, 10).map(async () => {
        const principal = anAgentOfItsOwn();
        await race(principal, await house.question('publish', args, { principal, canElicit: false }));
      }),
    );
  }
}

describe('who answers first', () => {
  it('R1: approved in Studio and accepted by the client at once, it runs once, and both are told the truth', async () => {
    const ids: string[] = [];
    await forMany(100, async (principal, question) => {
      const [studio, client] = await Promise.all([
        codeOf(house.decide(question.id, 'approve', { person: anna })),
        house.call('publish', args, { principal, ...yes(question) }),
      ]);
      expect(client.kind).toBe('result');
      expect(['no error: result', 'approval_decided']).toContain(studio);
      ids.push(question.id);
    });
    const effects = house.rooms.effects.map((permit) => permit.approval?.id).filter((id) => id !== undefined);
    expect(effects.sort()).toEqual(ids.sort());
    const record = await house.record();
    for (const id of ids) {
      const answers = record.filter(
        ({ type, approval }) => approval?.id === id && (type === 'approval.answered' || type === 'approval.approved'),
      );
      expect(answers.map(({ approval }) => approval?.channel).sort()).toEqual(['elicitation', 'studio']);
    }
  });

  it('R2: rejected in Studio and accepted by the client at once, exactly one of them holds', async () => {
    const outcomes = { ran: 0, rejected: 0 };
    await forMany(200, async (principal, question) => {
      const [studio, client] = await Promise.all([
        codeOf(house.decide(question.id, 'reject', { person: anna, reason: 'not today' })),
        codeOf(house.call('publish', args, { principal, ...yes(question) })),
      ]);
      const ran = effectsOf(question.id);
      expect(`${studio}, ${client}, ${ran}`).toBe(
        ran === 1 ? 'approval_decided, no error: result, 1' : 'no error: rejected, approval_rejected, 0',
      );
      outcomes[ran === 1 ? 'ran' : 'rejected']++;
    });
    expect(outcomes.ran + outcomes.rejected).toBe(200);
  });

  it('R3: of two people the second is told who decided, and when', async () => {
    const principal = anAgentOfItsOwn();
    const { id } = await house.question('publish', args, { principal });
    const both = await Promise.allSettled([
      house.decide(id, 'approve', { person: anna }),
      house.decide(id, 'reject', { person: aPerson }),
    ]);
    const lost = both.filter((one) => one.status === 'rejected');
    expect(lost).toHaveLength(1);
    const winner = both[0]?.status === 'fulfilled' ? anna : aPerson;
    expect(lost[0]?.reason.body).toMatchObject({
      code: 'approval_decided',
      details: {
        by: winner.id,
        state: winner === anna ? 'approved' : 'rejected',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    });
    expect(effectsOf(id)).toBe(winner === anna ? 1 : 0);
  });

  it('many calls at once wait for the same approval', async () => {
    const principal = anAgentOfItsOwn();
    const questions = await Promise.all(
      Array.from({ length: 30 }, () => house.question('publish', args, { principal })),
    );
    expect(new Set(questions.map(({ id }) => id)).size).toBe(1);
  });
});

describe('R11: a token that was used', () => {
  it('gives the stored result to the identical call, however often and on whichever replica', async () => {
    const principal = anAgentOfItsOwn();
    const { id, confirmToken } = await house.question('publish', args, { principal, canElicit: false });
    house.rooms.runMs = 150;
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => house.call('publish', { ...args, confirmToken }, { principal })),
    );
    expect(effectsOf(id)).toBe(1);
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(replies[0]).toMatchObject({ kind: 'result', result: { changed: true } });
    house.rooms.runMs = 0;
    // Also once the mode would let it run by itself.
    const raised = { ...principal, mode: 'auto' as const };
    expect(await house.call('publish', { ...args, confirmToken }, { principal: raised })).toEqual(replies[0]);
    expect(effectsOf(id)).toBe(1);
    expect(house.rooms.effects.filter((permit) => permit.principal.id === principal.id)).toHaveLength(1);
    const lines = (await house.record('decision')).filter(({ actor }) => actor.id === principal.id);
    expect(lines.filter(({ decision }) => decision?.result === 'stored')).toHaveLength(50);
    // Without the token it is a new wish.
    const anew = await house.question('publish', args, { principal });
    expect(anew.id).not.toBe(id);
  });

  it('taints the key again where the result may carry text from strangers', async () => {
    const principal = anAgentOfItsOwn({ mode: 'manual' });
    const url = { url: 'https://x.example/a.png' };
    const { id } = await house.question('fetch_asset_url', url, { principal });
    await house.decide(id, 'approve', { requester: principal });
    await house.database.query('DELETE FROM policy.taint WHERE key = $1', [principal.keyId]);
    expect((await house.call('fetch_asset_url', url, { principal })).kind).toBe('result');
    expect(await taintedUntil(house.database, principal)).toBeDefined();
  });

  it('is not needed where an idempotency key says that it is the wish of before', async () => {
    const principal = anAgentOfItsOwn();
    const wish = { principal, idempotencyKey: 'once' };
    const question = await house.question('publish', args, wish);
    const first = await house.call('publish', args, { ...wish, ...yes(question) });
    expect(await house.call('publish', args, wish)).toEqual(first);
    expect(await house.call('publish', args, wish)).toEqual(first);
    expect(effectsOf(question.id)).toBe(1);
    const another = await house.call('publish', args, { principal, idempotencyKey: 'twice' });
    expect(another.kind).toBe('approval_required');
  });

  it('gives nothing to anybody else, or for anything else', async () => {
    const principal = anAgentOfItsOwn();
    const { id, confirmToken } = await house.question('publish', args, { principal, canElicit: false });
    await house.call('publish', args, { principal, confirmToken });
    const other = anAgentOfItsOwn();
    expect(await codeOf(house.call('publish', args, { principal: other, confirmToken }))).toBe('state_invalid');
    expect(await codeOf(house.call('publish', { what: 'x' }, { principal, confirmToken }))).toBe(
      'approval_args_changed',
    );
    expect(effectsOf(id)).toBe(1);
  });

  it('gives the stored error where the call failed', async () => {
    const principal = anAgentOfItsOwn();
    const { id, confirmToken } = await house.question('publish', args, { principal, canElicit: false });
    house.rooms.behaviour = fail('redirect_loop', { path: '/x' });
    expect(await codeOf(house.call('publish', args, { principal, confirmToken }))).toBe('redirect_loop');
    house.rooms.behaviour = 'succeed';
    expect(await codeOf(house.call('publish', args, { principal, confirmToken }))).toBe('redirect_loop');
    await until(async () => (await house.stateOf(id)) === 'failed');
    expect(effectsOf(id)).toBe(0);
  });
});

describe('R20: a call that was approved and took no effect', () => {
  it('gives the approval back, and the repeated call runs once', async () => {
    const principal = anAgentOfItsOwn();
    const question = await house.question('publish', args, { principal, canElicit: false });
    house.rooms.behaviour = 'hang';
    await expect(house.call('publish', args, { principal, ...yes(question), timeoutMs: 800 })).rejects.toThrow();
    expect(await house.stateOf(question.id)).toBe('consumed');
    house.rooms.abortAll();
    await until(async () => (await house.stateOf(question.id)) === 'approved');
    house.rooms.behaviour = 'succeed';
    const { confirmToken } = question;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => house.call('publish', args, { principal, confirmToken })),
    );
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(effectsOf(question.id)).toBe(1);
    const types = (await house.record()).filter((event) => event.approval?.id === question.id).map(({ type }) => type);
    expect(types).toContain('approval.reopened');
  });

  it('needs no token either: it is the same approval', async () => {
    const principal = anAgentOfItsOwn();
    const question = await house.question('publish', args, { principal });
    house.rooms.behaviour = 'hang';
    await expect(house.call('publish', args, { principal, ...yes(question), timeoutMs: 800 })).rejects.toThrow();
    house.rooms.abortAll();
    await until(async () => (await house.stateOf(question.id)) === 'approved');
    house.rooms.behaviour = 'succeed';
    expect((await house.call('publish', args, { principal })).kind).toBe('result');
    expect(effectsOf(question.id)).toBe(1);
  });

  it('but not over a token for a key that has been tainted since', async () => {
    const principal = anAgentOfItsOwn();
    const question = await house.question('publish', args, { principal, canElicit: false });
    const { confirmToken } = question;
    house.rooms.behaviour = 'hang';
    await expect(house.call('publish', args, { principal, confirmToken, timeoutMs: 800 })).rejects.toThrow();
    house.rooms.abortAll();
    await until(async () => (await house.stateOf(question.id)) === 'approved');
    house.rooms.behaviour = 'succeed';
    await house.call('list_comments', {}, { principal });
    const anew = await house.question('publish', args, { principal, confirmToken });
    expect(anew.id).not.toBe(question.id);
    expect(await house.stateOf(question.id)).toBe('revoked');
  });

  it('is found by the sweeper where nobody said that it ended', async () => {
    const deaf = await openHouse({ events: false, settings: { sweepEveryMs: 100, settleAfterMs: 500 } });
    try {
      const principal = anAgentOfItsOwn();
      const done = await deaf.question('publish', args, { principal });
      await deaf.call('publish', args, { principal, ...yes(done) });
      await until(async () => (await deaf.stateOf(done.id)) === 'succeeded');
      const lost = await deaf.question('publish', args, { principal });
      deaf.rooms.behaviour = 'hang';
      await expect(deaf.call('publish', args, { principal, ...yes(lost), timeoutMs: 400 })).rejects.toThrow();
      await until(async () => (await deaf.stateOf(lost.id)) === 'approved');
      deaf.rooms.behaviour = 'succeed';
      expect((await deaf.call('publish', args, { principal, ...yes(lost) })).kind).toBe('result');
      expect(deaf.rooms.effects).toHaveLength(2);
    } finally {
      await deaf.stop();
    }
  });

  it('is given back where no worker was there to take the call', async () => {
    const empty = await openHouse({ settings: { sweepEveryMs: 100, settleAfterMs: 500 } });
    try {
      const principal = anAgentOfItsOwn();
      const question = await empty.question('delete_page', { page: 'p' }, { principal });
      await empty.rooms.cut('tools');
      const approved = empty.call('delete_page', { page: 'p' }, { principal, ...yes(question) });
      expect(await codeOf(approved)).toBe('tool_unavailable');
      await until(async () => (await empty.stateOf(question.id)) === 'approved');
    } finally {
      await empty.stop();
    }
  });

  it('is not believed to be free because somebody says so', async () => {
    const principal = anAgentOfItsOwn();
    const question = await house.question('publish', args, { principal });
    await house.call('publish', args, { principal, ...yes(question) });
    const callId = house.rooms.effects.at(-1)?.callId ?? '';
    house.bus.publish(events.callEnded, { callId, approvalId: question.id, state: 'aborted' });
    await until(async () => (await house.stateOf(question.id)) === 'succeeded');
    house.bus.publish(events.callEnded, { callId, approvalId: question.id, state: 'aborted' });
    expect((await house.call('publish', args, { principal, ...yes(question) })).kind).toBe('result');
    expect(effectsOf(question.id)).toBe(1);
    expect(await house.stateOf(question.id)).toBe('succeeded');
  });
});

describe('R24: a flood', () => {
  it('leaves 20 waiting, and the rest is told to wait', async () => {
    const principal = anAgentOfItsOwn();
    const codes: string[] = [];
    const numbers = Array.from({ length: 400 }, (_, i) => i);
    while (numbers.length > 0) {
      const some = numbers.splice(0, 25);
      codes.push(
        ...(await Promise.all(some.map((i) => codeOf(house.call('publish', { what: `${i}` }, { principal }))))),
      );
    }
    expect(codes.filter((code) => code === 'no error: approval_required')).toHaveLength(20);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(380);
    const waiting = (await house.approvals()).filter((row) => row.principal_id === principal.id);
    expect(waiting).toHaveLength(20);
    // Others are not held up, and the same call still finds its own.
    expect((await house.call('publish', args, { principal: anAgentOfItsOwn() })).kind).toBe('approval_required');
    const known = codes.indexOf('no error: approval_required');
    expect((await house.call('publish', { what: `${known}` }, { principal })).kind).toBe('approval_required');
  });
});
