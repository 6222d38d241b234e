import { decideElevation, listElevations } from '@cloudhal/shared/contracts';
import type { Mode, Principal } from '@cloudhal/shared/policy';
import type { ToolResult } from '@cloudhal/shared/tool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDeveloper, aPerson } from '../testing/facts.ts';
import { anAgentOfItsOwn, codeOf, type House, openHouse, until } from '../testing/house.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ replicas: 2, settings: { sweepEveryMs: 100 } });
});
afterAll(() => house.stop());

const wish = { mode: 'auto', minutes: 30, reason: 'the weekly publish' };

async function own(principal: Principal, tool: string, args: object = {}, more: object = {}): Promise<ToolResult> {
  const reply = await house.call(tool, { ...args }, { principal, ...more });
  if (reply.kind !== 'result') throw new Error(`${tool} waits.`);
  return reply.result;
}

async function request(principal: Principal, more: object = {}) {
  const { data } = await own(principal, 'request_elevation', { ...wish, ...more });
  return data as { id: string; state: string; mode: Mode; minutes: number };
}

function decide(id: string, decision: 'grant' | 'refuse' | 'end', more: object = {}, person: Principal = aPerson) {
  const query = { principal: house.token(person), id, decision, ...more };
  return house.bus.request(decideElevation, query, { timeoutMs: 5_000 });
}

const publishes = async (principal: Principal) => (await house.call('publish', { what: 'x' }, { principal })).kind;
const endNow = (id: string) =>
  house.database.query('UPDATE policy.elevation SET ends_at = clock_timestamp() WHERE id = $1', [id]);

describe('asking for a mode', () => {
  it('changes nothing until a person grants it, and ends by itself by the clock of the store', async () => {
    const principal = anAgentOfItsOwn();
    const { id, state } = await request(principal);
    expect(state).toBe('pending');
    expect(await publishes(principal)).toBe('approval_required');
    const granted = await decide(id, 'grant');
    expect(granted).toMatchObject({ state: 'granted', mode: 'auto', minutes: 30, decidedBy: aPerson.id });
    expect(await publishes(principal)).toBe('result');
    expect(house.rooms.permits.at(-1)).toMatchObject({ mode: 'auto', elevated: true });
    await endNow(id);
    expect(await publishes(principal)).toBe('approval_required');
    await until(async () =>
      (await house.record('elevation.expired')).some(({ details }) => (details as { id: string }).id === id),
    );
    const types = (await house.record()).filter(({ details }) => (details as { id?: string })?.id === id);
    expect(types.map(({ type }) => type)).toEqual(['elevation.requested', 'elevation.granted', 'elevation.expired']);
  });

  it('waits once for each key, and the same call is the same request', async () => {
    const principal = anAgentOfItsOwn();
    const callId = '018f0000-0000-7000-8000-000000000001';
    const first = await own(principal, 'request_elevation', wish, { callId });
    const same = await own(principal, 'request_elevation', wish, { callId });
    const more = await Promise.all(
      Array.from({ length: 10 }, () => own(principal, 'request_elevation', { ...wish, minutes: 5 })),
    );
    expect(first.changed).toBe(true);
    const id = (first.data as { id: string }).id;
    for (const result of [same, ...more]) {
      expect(result).toMatchObject({ data: { id, minutes: 30 }, changed: false });
      expect(result.warnings).toHaveLength(1);
    }
    await decide(id, 'refuse');
    expect((await own(principal, 'request_elevation', wish, { callId })).data).toMatchObject({ id, state: 'refused' });
    expect((await request(principal)).id).not.toBe(id);
  });

  it.each([
    ['its own mode', { mode: 'edits' }],
    ['a lower one', { mode: 'plan' }],
    ['no known one', { mode: 'god' }],
    ['no time', { minutes: 0 }],
    ['more than a day', { minutes: 1_441 }],
    ['no reason', { reason: ' ' }],
  ])('cannot ask for %s', async (_, more) => {
    expect(await codeOf(request(anAgentOfItsOwn(), more))).toBe('validation_failed');
  });

  it('cannot ask for what its owner’s role, or the network, does not allow', async () => {
    expect(await codeOf(request(anAgentOfItsOwn({ role: 'reviewer', mode: 'plan' })))).toBe('validation_failed');
    expect(await codeOf(request(anAgentOfItsOwn({ mode: 'auto' }), { mode: 'bypass' }))).toBe('validation_failed');
  });
});

describe('granting it', () => {
  it('may be lower and shorter, never higher or longer', async () => {
    const principal = anAgentOfItsOwn({ mode: 'plan' });
    const { id } = await request(principal);
    expect(await codeOf(decide(id, 'grant', { mode: 'bypass' }))).toBe('validation_failed');
    expect(await codeOf(decide(id, 'grant', { minutes: 31 }))).toBe('validation_failed');
    expect(await codeOf(decide(id, 'grant', { mode: 'yolo' }))).toBe('validation_failed');
    // It has that already: nobody is told of more autonomy that is none.
    expect(await codeOf(decide(id, 'grant', { mode: 'plan' }))).toBe('validation_failed');
    expect(await decide(id, 'grant', { mode: 'edits', minutes: 5 })).toMatchObject({ mode: 'edits', minutes: 5 });
    expect(await publishes(principal)).toBe('approval_required');
    expect((await house.call('update_page', { title: 'x' }, { principal })).kind).toBe('result');
  });

  it('gives a remote key auto at most, and a local one what it asked for', async () => {
    const remote = await request(anAgentOfItsOwn(), { mode: 'bypass' });
    expect(await decide(remote.id, 'grant')).toMatchObject({ mode: 'auto' });
    const principal = { ...aDeveloper, id: 'local-1' };
    const local = await request(principal, { mode: 'bypass' });
    expect(await decide(local.id, 'grant')).toMatchObject({ mode: 'bypass' });
    expect((await house.call('delete_page', { page: 'p' }, { principal })).kind).toBe('result');
    // What always needs a person still does.
    expect((await house.call('add_redirect', { from: '/' }, { principal })).kind).toBe('approval_required');
  });

  it('is for owners and editors, once', async () => {
    const { id } = await request(anAgentOfItsOwn());
    for (const role of ['reviewer', 'auditor'] as const) {
      expect(await codeOf(decide(id, 'grant', {}, { ...aPerson, role }))).toBe('forbidden');
    }
    expect(await codeOf(decide(id, 'grant', {}, anAgentOfItsOwn()))).toBe('forbidden');
    expect(await codeOf(decide(id, 'grant', {}, { ...aPerson, sites: ['site_9'] }))).toBe('not_found');
    const both = await Promise.all([codeOf(decide(id, 'grant')), codeOf(decide(id, 'refuse'))]);
    expect(both.filter((code) => code === 'approval_decided')).toHaveLength(1);
    expect(await codeOf(decide('elv_none', 'grant'))).toBe('not_found');
  });

  it('is not for the owner alone where four eyes are asked for', async () => {
    await house.database.query(
      `INSERT INTO policy.site_rules (site, rules, updated_by) VALUES ('site_1', '{"fourEyes": true}', 'test')`,
    );
    try {
      const { id } = await request(anAgentOfItsOwn({ owner: 'u1' }));
      expect(await codeOf(decide(id, 'grant'))).toBe('forbidden');
      expect(await decide(id, 'grant', {}, { ...aPerson, id: 'person:u2' })).toMatchObject({ state: 'granted' });
    } finally {
      await house.database.query('DELETE FROM policy.site_rules');
    }
  });

  it('holds for the tools and the site that it was asked for', async () => {
    const principal = anAgentOfItsOwn({ mode: 'manual' });
    const { id } = await request(principal, { mode: 'edits', tools: ['update_page'], site: 'main' });
    await decide(id, 'grant');
    expect((await house.call('update_page', { title: 'x' }, { principal })).kind).toBe('result');
    expect((await house.call('create_page', { title: 'x' }, { principal })).kind).toBe('approval_required');
  });

  it('can be ended, by a person and by the agent', async () => {
    const principal = anAgentOfItsOwn();
    const first = await request(principal);
    await decide(first.id, 'grant');
    expect(await decide(first.id, 'end')).toMatchObject({ state: 'ended' });
    expect(await publishes(principal)).toBe('approval_required');
    expect(await codeOf(decide(first.id, 'end'))).toBe('approval_decided');
    const second = await request(principal);
    await decide(second.id, 'grant');
    const third = await request(principal);
    expect(await own(principal, 'end_elevation')).toMatchObject({
      data: { ended: expect.arrayContaining([second.id, third.id]), mode: 'edits' },
      changed: true,
    });
    expect(await own(principal, 'end_elevation')).toMatchObject({ data: { ended: [] }, changed: false });
    expect(await publishes(principal)).toBe('approval_required');
  });

  it('holds no longer once the key is set lower than it was', async () => {
    const principal = anAgentOfItsOwn();
    await decide((await request(principal)).id, 'grant');
    await house.keyValue.set(`key-generation:${principal.keyId}`, '2');
    const lowered = { ...principal, mode: 'plan' as const, keyGeneration: 2 };
    expect(await codeOf(house.call('update_page', { title: 'x' }, { principal: lowered }))).toBe('mode_forbids');
    expect(await codeOf(house.call('publish', { what: 'x' }, { principal: lowered }))).toBe('mode_forbids');
    expect((await own(lowered, 'get_mode')).data).toMatchObject({ effectiveMode: 'plan', elevations: [] });
  });

  it('ends with the key', async () => {
    const principal = anAgentOfItsOwn();
    const { id } = await request(principal);
    await house.keyValue.set(`revoked:${principal.keyId}`, '1');
    expect(['approval_revoked', 'approval_decided']).toContain(await codeOf(decide(id, 'grant')));
    const list = async () =>
      (await house.bus.request(listElevations, { principal: house.token(aPerson) }, { timeoutMs: 5_000 })).elevations;
    await until(async () => (await list()).find((elevation) => elevation.id === id)?.state === 'revoked');
  });
});
