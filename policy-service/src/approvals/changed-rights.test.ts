import { events } from '@cloudhal/shared/contracts';
import type { Principal } from '@cloudhal/shared/policy';
import { describe, expect, it } from 'vitest';
import { aPerson } from '../testing/facts.ts';
import { anAgentOfItsOwn, codeOf, openHouse, until, yes } from '../testing/house.ts';
import { someTools } from '../testing/tool-rooms.ts';
import { openWaitingCalls, publish } from '../testing/waiting-calls.ts';

const { house, asked, effectsOf } = await openWaitingCalls();

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

  it('a skill that was dropped or exchanged is asked about anew', async () => {
    const principal = anAgentOfItsOwn({ mode: 'manual' });
    const ask = (skill?: string) =>
      house.question('update_page', { title: 'x' }, { principal, ...(skill && { skill }) });
    house.rooms.skills.set('other', ['content:write']);
    const first = await ask('write-article');
    expect((await ask('write-article')).id).toBe(first.id);
    const second = await ask();
    const third = await ask('other');
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    expect(await house.stateOf(first.id)).toBe('stale');
    expect(await house.stateOf(second.id)).toBe('stale');
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
