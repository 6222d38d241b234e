import { decideScheduled } from '@cloudhal/shared/contracts';
import { type Permit, signPermit, verifyPermit } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anAgent, aPerson } from './testing/facts.ts';
import { codeOf, type House, openHouse } from './testing/house.ts';

const scheduler: Principal = { ...anAgent, id: 'agent:k', keyId: 'k', mode: 'auto' };
const ada: Principal = { ...aPerson, id: 'person:ada', mode: 'bypass' };

/** What `schedule_release` ran with, some time ago. */
const byRule: Permit = {
  callId: 'c1',
  tool: 'schedule_release',
  argumentsHash: 'h',
  principal: {
    id: 'agent:k',
    kind: 'agent',
    name: 'x',
    keyId: 'k',
    keyGeneration: 1,
    owner: 'u1',
  },
  site: 'site_1',
  sites: '*',
  scopes: '*',
  mode: 'auto',
  rule: 'small-publish',
  policyVersion: '1',
  answerTo: '_INBOX_gateway.x',
  base: { diff: 'd1' },
  idempotencyKey: 'k',
};
const approved: Permit = {
  ...byRule,
  mode: 'edits',
  rule: 'edits/auto-publish',
  approval: { id: 'a', channel: 'studio', decidedBy: 'p' },
};
const byPerson: Permit = {
  ...byRule,
  mode: 'bypass',
  rule: 'person',
  principal: { id: 'person:ada', kind: 'person', name: 'Ada' },
};

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.stop());
beforeEach(async () => {
  house.present.clear();
  for (const principal of [scheduler, ada]) house.present.set(principal.id, principal);
  await house.database.query('DELETE FROM policy.site_rules');
});

const ask = (permit: Permit, diff = 'd1', signer = house.policy) =>
  house.bus.request(
    decideScheduled,
    { callId: 'c2', permit: signPermit(permit, signer), diff, nodes: 2 },
    { timeoutMs: 5_000 },
  );
const outcome = async (...query: Parameters<typeof ask>) => {
  const code = await codeOf(ask(...query));
  return code === 'no error: undefined' ? 'runs' : code;
};
/** The gateway says that the scheduler is otherwise now. */
const isNow = (now: Partial<Principal>) => house.present.set('agent:k', { ...scheduler, ...now });

describe('a scheduled release', () => {
  it('runs with the authority that it was scheduled with, within the rights of today', async () => {
    isNow({ keyGeneration: 2, scopes: ['publish', 'releases:write', 'content:read'], sites: ['site_1'] });
    const { permit } = await ask(byRule);
    const given = verifyPermit(permit, house.deps.permits);
    expect(given).toMatchObject({
      callId: 'c2',
      principal: { id: 'agent:k', keyGeneration: 2 },
      base: { diff: 'd1' },
      rule: 'scheduled',
      scopes: ['publish', 'releases:write', 'content:read'],
      sites: ['site_1'],
    });
    expect(given.idempotencyKey).toBeUndefined();
  });

  it('does not where the content moved, or nobody scheduled it', async () => {
    expect(await outcome(byRule, 'd2')).toBe('digest_moved');
    expect(await outcome({ ...byRule, tool: 'publish' })).toBe('permit_invalid');
    expect(await outcome(byRule, 'd1', house.gateway)).toBe('permit_invalid');
  });

  it('does not while the window is closed, unless a person approved that time', async () => {
    await house.database.query(
      `INSERT INTO policy.site_rules (site, rules, updated_by) VALUES ('site_1', $1, 'test')`,
      [JSON.stringify({ publishingWindow: { timeZone: 'UTC', days: [], from: '00:00', to: '01:00' } })],
    );
    expect(await outcome(byRule)).toBe('outside_window');
    expect(await outcome(approved)).toBe('runs');
  });

  it('does not where the site lets fewer nodes go live without a person now', async () => {
    await house.database.query(
      `INSERT INTO policy.site_rules (site, rules, updated_by) VALUES ('site_1', '{"smallPublishNodes": 1}', 'test')`,
    );
    expect(await outcome(byRule)).toBe('limit_exceeded');
    expect(await outcome(approved)).toBe('runs');
  });

  it.each<[string, Partial<Principal>]>([
    ['has another owner', { owner: 'person:other' }],
    ['no longer publishes', { scopes: ['content:read', 'releases:write'] }],
    ['has an owner whose role does not', { role: 'reviewer' }],
    ['no longer sees the site', { sites: ['site_2'] }],
    ['may only plan', { mode: 'plan' }],
  ])('does not where the key %s, whoever approved it', async (_, now) => {
    for (const permit of [byRule, approved]) expect(await outcome(permit)).toBe('runs');
    isNow(now);
    for (const permit of [byRule, approved]) expect(await outcome(permit)).toBe('approval_revoked');
  });

  it('does not where nobody approved it and the key may no longer publish by itself', async () => {
    isNow({ mode: 'edits' });
    expect(await outcome(byRule)).toBe('approval_revoked');
    expect(await outcome(approved)).toBe('runs');
  });

  it('does not where the key is gone, whatever the small shared state says', async () => {
    house.present.delete('agent:k');
    expect(await outcome(byRule)).toBe('approval_revoked');
    expect(await outcome(approved)).toBe('approval_revoked');
    const [line] = (await house.record('decision')).slice(-1);
    expect(line).toMatchObject({
      decision: { result: 'deny', rule: 'scheduled' },
      outcome: { code: 'approval_revoked' },
    });
  });

  it('does not where the person who scheduled it is gone, or their role publishes no more', async () => {
    expect(await outcome(byPerson)).toBe('runs');
    house.present.set('person:ada', { ...ada, role: 'reviewer' });
    expect(await outcome(byPerson)).toBe('approval_revoked');
    house.present.delete('person:ada');
    expect(await outcome(byPerson)).toBe('approval_revoked');
  });

  it('of the developer at this machine runs', async () => {
    expect(await outcome({ ...byRule, principal: { id: 'local', kind: 'local', name: 'local developer' } })).toBe(
      'runs',
    );
  });

  it('does not where the gateway names somebody else', async () => {
    house.present.set('agent:k', { ...scheduler, id: 'agent:other' });
    expect(await outcome(byRule)).toBe('approval_revoked');
  });

  it('does not where the elevation that let it through has ended, unless a person approved it itself', async () => {
    isNow({ mode: 'edits' });
    const elevated = { ...byRule, elevated: true };
    expect(await outcome(elevated)).toBe('approval_revoked');
    await house.database.query(
      `INSERT INTO policy.elevation (id, call_id, principal_id, principal, mode, minutes, reason, state, ends_at)
       VALUES ('el_1', 'c-el', 'agent:k', '{"mode": "edits"}', 'auto', 5, 'test', 'granted', clock_timestamp() + interval '5 minutes')`,
    );
    expect(await outcome(elevated)).toBe('runs');
    isNow({ mode: 'plan' });
    expect(await outcome(elevated)).toBe('approval_revoked');
    isNow({ mode: 'edits' });
    await house.database.query(`UPDATE policy.elevation SET ends_at = clock_timestamp() WHERE id = 'el_1'`);
    expect(await outcome(elevated)).toBe('approval_revoked');
    // Approved while the elevation lasted: the permit has its mode, and the person's answer.
    expect(await outcome({ ...approved, mode: 'auto' })).toBe('runs');
  });
});

describe('a scheduled release without a gateway', () => {
  it('waits: nobody can say whether its key is still there', async () => {
    const alone = await openHouse();
    try {
      await alone.withoutGateway();
      const query = { callId: 'c2', permit: signPermit(byRule, alone.policy), diff: 'd1', nodes: 1 };
      expect(await codeOf(alone.bus.request(decideScheduled, query, { timeoutMs: 5_000 }))).toBe('policy_unavailable');
    } finally {
      await alone.stop();
    }
  });
});
