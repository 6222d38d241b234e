import { argumentsHash, type Permit } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import type { TestDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { viewOfPermit, viewOfPrincipal } from './access.ts';
import { type Activity, listActivity } from './activity.ts';
import { appendEvents } from './append.ts';
import { type Filter, search } from './search.ts';
import { recordDatabase, sampleEvent } from './testing.ts';

let db: TestDatabase;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const ann = { type: 'person', id: 'person:ann', name: 'Ann' };
const other = { type: 'agent', id: 'agent:k2', name: 'Other', on_behalf_of: 'person:bob' };

beforeAll(async () => {
  db = await recordDatabase();
  const change = { call_id: 'call-1', tool: 'publish', skill: { name: 'publish-changes', digest: 'sha256:x' } };
  const outcome = { ...change, type: 'outcome', ts: at(3), snapshot_id: 'snap_1' };
  await appendEvents(
    db.database,
    sampleEvent({ ts: at(1), call_id: 'call-0', args_redacted: { q: 'secret plan' } }),
    // The outcome came first: the two travel apart.
    sampleEvent({ ...outcome, decision: undefined, outcome: { state: 'succeeded' } }),
    sampleEvent({ ...change, type: 'attempted', ts: at(2), outcome: undefined, approval: { id: 'apr_1' } }),
    sampleEvent({
      ...change,
      type: 'approval.consumed',
      ts: at(2),
      actor: ann,
      outcome: undefined,
      decision: undefined,
    }),
    sampleEvent({
      ts: at(4),
      type: 'decision',
      call_id: 'call-2',
      tool: 'delete_page',
      decision: { result: 'deny', rule: 'mode' },
      outcome: { state: 'denied', code: 'mode_forbids' },
    }),
    sampleEvent({ ts: at(5), site: 'site_b', call_id: 'call-3', actor: other }),
    sampleEvent({ ts: at(6), site: '_deployment', call_id: 'call-4', tool: 'get_mode' }),
    sampleEvent({
      ts: at(7),
      site: '_deployment',
      type: 'auth.signed_in',
      actor: ann,
      call_id: undefined,
      tool: undefined,
    }),
    sampleEvent({ ts: at(8), call_id: 'call-5', actor: other }),
  );
});
afterAll(() => db.drop());

const person = (fields: Partial<Principal>): Principal => ({
  id: 'person:ann',
  kind: 'person',
  name: 'Ann',
  role: 'owner',
  mode: 'bypass',
  scopes: '*',
  sites: '*',
  remote: true,
  personAttested: 'off',
  confirmTokenFallback: true,
  ...fields,
});

async function found(filter: Filter = {}, who: Partial<Principal> = {}) {
  const { lines } = await search(db.database, viewOfPrincipal(person(who)), filter);
  return lines.map(({ event }) => event);
}

const times = (events: { ts: string }[]) => events.map((event) => new Date(event.ts).getUTCMinutes());

describe('a search', () => {
  test('lists everything newest first, in pages without a gap or a repetition', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await search(db.database, viewOfPrincipal(person({})), { limit: 2, ...(cursor && { cursor }) });
      seen.push(...times(page.lines.map((line) => line.event)));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 2, 1]);
  });

  const filters: [filter: Filter, minutes: number[]][] = [
    [{ site: 'site_b' }, [5]],
    [{ actor: 'agent:k2' }, [8, 5]],
    [{ tool: 'publish' }, [3, 2, 2]],
    [{ type: 'read', site: 'site_a' }, [8, 1]],
    [{ type: 'approval.*' }, [2]],
    [{ skill: 'publish-changes', type: 'outcome' }, [3]],
    [{ decision: 'deny' }, [4]],
    [{ outcome: 'denied' }, [4]],
    [{ outcome: 'mode_forbids' }, [4]],
    [{ callId: 'call-1' }, [3, 2, 2]],
    [{ snapshot: 'snap_1' }, [3]],
    [{ since: at(7) }, [8, 7]],
    [{ until: at(2) }, [1]],
    [{ tool: "x' OR true --" }, []],
    [{ tool: '\0' }, []],
  ];
  test.each(filters)('finds %j', async (filter, minutes) => {
    expect(times(await found(filter))).toEqual(minutes);
  });

  test.each([{ since: 'yesterday' }, { cursor: 'x' }, { cursor: Buffer.from('["a",1,2]').toString('base64url') }])(
    'refuses %j',
    async (filter) => {
      await expect(found(filter)).rejects.toMatchObject({ code: 'validation_failed' });
    },
  );

  test('ends a page early rather than send more than one message holds', async () => {
    const site = 'site_large';
    await appendEvents(
      db.database,
      ...Array.from({ length: 8 }, () =>
        sampleEvent({ site, actor: other, args_redacted: { text: 'x'.repeat(90_000) } }),
      ),
      sampleEvent({ site, actor: other, args_redacted: { text: 'x'.repeat(300_000) } }),
    );
    let cursor: string | undefined;
    let count = 0;
    do {
      const page = await search(db.database, viewOfPrincipal(person({})), { site, ...(cursor && { cursor }) });
      expect(JSON.stringify(page).length).toBeLessThan(500_000);
      count += page.lines.length;
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(count).toBe(9);
  });
});

describe('who sees what', () => {
  test('an owner and an auditor see everybody, by name, and the auditor alone what calls were told to do', async () => {
    for (const role of ['owner', 'auditor'] as const) {
      const all = await found({ until: at(9) }, { role, scopes: ['activity:read'] });
      expect(all).toHaveLength(9);
      expect(JSON.stringify(all).includes('secret plan')).toBe(role === 'auditor');
      expect(all.find((event) => event.type === 'auth.signed_in')?.actor.name).toBe('Ann');
    }
  });

  test('an editor sees the calls of the sites, without arguments, sign-ins and keys', async () => {
    const seen = await found({ until: at(9) }, { role: 'editor', sites: ['site_a'] });
    expect(times(seen)).toEqual([8, 4, 3, 2, 2, 1]);
    expect(JSON.stringify(seen)).not.toContain('secret plan');
  });

  test('a reviewer sees only what was done by them or on their behalf', async () => {
    const seen = await found({ until: at(9) }, { role: 'reviewer', scopes: ['activity:read'], id: 'person:bob' });
    expect(times(seen)).toEqual([8, 5]);
    expect(
      await found({ callId: 'call-1' }, { role: 'reviewer', scopes: ['activity:read'], id: 'person:bob' }),
    ).toEqual([]);
  });

  test('an agent and a person without the scope are refused', () => {
    expect(() => viewOfPrincipal(person({ kind: 'agent' }))).toThrow('a signed-in person');
    expect(() => viewOfPrincipal(person({ role: 'reviewer', scopes: [] }))).toThrow('activity:read');
  });
});

describe('list_activity', () => {
  const permit = (fields: Partial<Permit> = {}): Permit => ({
    callId: 'call',
    tool: 'list_activity',
    argumentsHash: argumentsHash({}),
    principal: { id: 'agent:k1', kind: 'agent', name: 'Writer' },
    sites: '*',
    scopes: ['activity:read'],
    mode: 'plan',
    rule: 'read',
    policyVersion: '1',
    answerTo: '_INBOX_gateway.x',
    ...fields,
  });

  async function list(args = {}, fields: Partial<Permit> = {}) {
    const result = await listActivity(db.database, viewOfPermit(permit(fields)), args);
    return { ...result, calls: (result.data as { activity: Activity[] }).activity };
  }

  test('has one entry for each own call, newest first, with how it ended', async () => {
    const { calls } = await list();
    expect(calls).toEqual([
      expect.objectContaining({ callId: 'call-4', tool: 'get_mode', type: 'read' }),
      expect.objectContaining({ callId: 'call-2', decision: 'deny', outcome: 'denied', code: 'mode_forbids' }),
      {
        callId: 'call-1',
        at: at(2),
        tool: 'publish',
        type: 'attempted',
        decision: 'allow',
        outcome: 'succeeded',
        snapshot: 'snap_1',
        skill: 'publish-changes',
        approval: 'apr_1',
        actor: { id: 'agent:k1', name: 'Writer' },
      },
      expect.objectContaining({ callId: 'call-0', outcome: 'succeeded' }),
    ]);
  });

  test('comes in pages', async () => {
    const first = await list({ limit: 3 });
    expect(first.calls).toHaveLength(3);
    const second = await list({ limit: 3, cursor: first.cursor });
    expect(second.calls.map((call) => call.callId)).toEqual(['call-0']);
    expect(second.cursor).toBeUndefined();
  });

  test.each([
    [{ tool: 'publish' }, ['call-1']],
    [{ decision: 'allow' }, ['call-4', 'call-1', 'call-0']],
    [{ decision: 'deny' }, ['call-2']],
    [{ since: at(4) }, ['call-4', 'call-2']],
  ])('can be asked for %j', async (args, ids) => {
    expect((await list(args)).calls.map((call) => call.callId)).toEqual(ids);
  });

  test("shows everybody's calls on the site with activity:read-all, and on no other", async () => {
    const scopes = ['activity:read', 'activity:read-all'] as const;
    const ids = async (fields: Partial<Permit>) => {
      const { calls } = await list({ since: at(0) }, { scopes, ...fields });
      return calls.filter((call) => call.callId.startsWith('call-')).map((call) => call.callId);
    };
    expect(await ids({ site: 'site_b' })).toEqual(['call-3']);
    expect(await ids({ site: 'site_a' })).toEqual(['call-5', 'call-2', 'call-1', 'call-0']);
    expect(await ids({ sites: ['site_b'] })).toEqual(['call-3']);
    expect(() => viewOfPermit(permit({ scopes: [] }))).toThrow('activity:read');
  });
});
