import { createLog } from '@cloudhal/shared/log';
import type { Principal } from '@cloudhal/shared/policy';
import type { TestDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { viewOfPrincipal } from './access.ts';
import { appendEvents } from './append.ts';
import { type Filter, listEntries } from './entries.ts';
import { exportEntries } from './export-activity.ts';
import { readState, recordVerifier } from './record-state.ts';
import { checkpointKey, recordDatabase, sampleEvent, tamper } from './testing.ts';
import { countUsage } from './usage.ts';

let db: TestDatabase;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const ann = { type: 'person', id: 'person:ann', name: 'Ann' };
const other = { type: 'agent', id: 'agent:k2', name: '=cmd|calc', on_behalf_of: 'person:bob' };
const change = { call_id: 'call-1', tool: 'publish' };

beforeAll(async () => {
  db = await recordDatabase();
  await appendEvents(
    db.database,
    sampleEvent({ ts: at(1), call_id: 'call-0', args_redacted: { q: 'secret plan' } }),
    // The outcome came first: the two travel apart.
    sampleEvent({ ...change, type: 'outcome', ts: at(3), decision: undefined, snapshot_id: 'snap_1' }),
    sampleEvent({ ...change, type: 'approval.consumed', ts: at(2), outcome: undefined, decision: undefined }),
    sampleEvent({ ...change, type: 'attempted', ts: at(2), outcome: undefined, args_redacted: { what: 'all' } }),
    sampleEvent({
      ...{ type: 'approval.rejected', ts: at(4), actor: ann, call_id: undefined, approval: { id: 'apr_1' } },
      ...{ decision: undefined, outcome: undefined },
    }),
    sampleEvent({
      ts: at(5),
      type: 'decision',
      call_id: 'call-2',
      actor: other,
      note: '+1, "quoted"\nsecond line',
      decision: { result: 'deny', rule: 'mode' },
      outcome: { state: 'denied', code: 'mode_forbids' },
    }),
    sampleEvent({
      ...{ ts: at(6), site: '_deployment', type: 'key.created', actor: ann, call_id: undefined },
      ...{ details: { name: 'Writer' }, decision: undefined, outcome: undefined },
    }),
    sampleEvent({ ts: at(7), site: '_deployment', type: 'audit.read', actor: ann, call_id: undefined }),
  );
});
afterAll(() => db.drop());

const person = (role: Principal['role'], more: Partial<Principal> = {}): Principal => ({
  ...{ id: 'person:ann', kind: 'person', name: 'Ann', mode: 'bypass', scopes: '*', sites: '*', remote: false },
  ...{ personAttested: 'off', confirmTokenFallback: false, ...(role && { role }) },
  ...more,
});
const list = async (filter: Filter = {}, who = person('owner')) =>
  (await listEntries(db.database, viewOfPrincipal(who), filter)).entries.map(({ event }) => event);
const idsOf = (events: { type: string; call_id?: string }[]) => events.map(({ call_id, type }) => call_id ?? type);

describe('the list of what happened', () => {
  test('has each call once, with how it was decided and what came of it, and no readings of itself', async () => {
    const events = await list();
    expect(idsOf(events)).toEqual(['key.created', 'call-2', 'approval.rejected', 'call-1', 'call-0']);
    expect(events[3]).toMatchObject({
      type: 'attempted',
      decision: { result: 'allow' },
      outcome: { state: 'succeeded' },
      snapshot_id: 'snap_1',
    });
  });

  test('comes in pages without a gap or a repetition', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listEntries(db.database, viewOfPrincipal(person('owner')), {
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...idsOf(page.entries.map(({ event }) => event)));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(['key.created', 'call-2', 'approval.rejected', 'call-1', 'call-0']);
  });

  test.each<[Filter, string[]]>([
    [{ kind: 'calls' }, ['call-2', 'call-1', 'call-0']],
    [{ kind: 'decisions' }, ['approval.rejected', 'call-1']],
    [{ kind: 'access' }, ['key.created']],
    [{ kind: 'record' }, ['audit.read']],
    [{ outcome: 'succeeded' }, ['call-1', 'call-0']],
    [{ outcome: 'mode_forbids' }, ['call-2']],
    [{ snapshot: 'snap_1' }, ['call-1']],
    [{ snapshot: 'snap_1', decision: 'allow' }, ['call-1']],
    [{ snapshot: 'snap_1', decision: 'deny' }, []],
    [{ decision: 'deny' }, ['call-2']],
    [{ person: 'person:bob' }, ['call-2']],
    [{ person: 'person:ann', kind: 'calls' }, ['call-1', 'call-0']],
    [{ actor: 'agent:k2' }, ['call-2']],
    [{ tool: 'publish' }, ['call-1']],
    [{ since: at(2), until: at(4) }, ['call-1']],
    [{ site: 'nowhere' }, []],
  ])('looks for %j', async (filter, expected) => {
    expect(idsOf(await list(filter))).toEqual(expected);
  });

  test('shows arguments to auditors alone, and events that concern no site to owners and auditors', async () => {
    const shown = async (who: Principal) => {
      const events = await list({}, who);
      return [events.length, JSON.stringify(events).includes('secret plan'), events.some(({ details }) => details)];
    };
    expect(await shown(person('auditor', { scopes: ['activity:read', 'activity:read-all'] }))).toEqual([5, true, true]);
    expect(await shown(person('owner'))).toEqual([5, false, true]);
    expect(await shown(person('editor'))).toEqual([4, false, false]);
    const reviewer = person('reviewer', { id: 'person:bob', scopes: ['activity:read'] });
    expect(idsOf(await list({}, reviewer))).toEqual(['call-2']);
    expect(idsOf(await list({ person: 'person:ann' }, reviewer))).toEqual([]);
  });
});

describe('an export', () => {
  test('is safe to open in a spreadsheet', async () => {
    const view = viewOfPrincipal(person('owner'));
    const { text, lines } = await exportEntries(db.database, view, { format: 'csv' });
    const rows = text.trimEnd().split('\n');
    expect([rows.length, lines]).toEqual([6, 5]);
    expect(rows[0]).toMatch(/^chain,seq,ts,/);
    expect(text).toContain(`"'+1, ""quoted""\\u{a}second line"`);
  });

  test('holds in each line of JSON what the list shows', async () => {
    const { text } = await exportEntries(db.database, viewOfPrincipal(person('auditor')), {
      ...{ format: 'jsonl', tool: 'publish' },
    });
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ chain: 'site_a', event: { call_id: 'call-1', args_redacted: { what: 'all' } } }]);
  });
});

test('the use of agents is counted as far as one may see it', async () => {
  const counted = (who: Principal) => countUsage(db.database, viewOfPrincipal(who), at(0));
  const k1 = { id: 'agent:k1', calls: 2, denied: 0, waited: 0 };
  const k2 = { id: 'agent:k2', calls: 1, denied: 1, waited: 0 };
  expect(await counted(person('owner'))).toEqual([k1, k2]);
  expect(await counted(person('reviewer', { id: 'person:bob', scopes: ['activity:read'] }))).toEqual([k2]);
});

describe('the state of the record', () => {
  test('says when it was verified, by whom, and names what is wrong once something is', async () => {
    const told: number[] = [];
    const { publicKeys } = checkpointKey();
    const verifier = recordVerifier({
      database: db.database,
      log: createLog('audit-service', { level: 'silent' }),
      publicKeys,
      tell: () => void told.push(1),
    });
    expect(await readState(db.database)).toMatchObject({ chains: 2, events: 8, verifying: false });
    const state = await verifier.verify(person('owner'));
    expect(state).toMatchObject({ verifying: false, verified: { ok: true, by: 'Ann', chains: 2, problems: [] } });
    expect(told).toHaveLength(1);

    await tamper(db.database, (tx) => tx.query(`UPDATE audit.event SET body = '{}' WHERE part = 'site_a' AND seq = 2`));
    const after = await verifier.verify(person('auditor'));
    expect(after.verified).toMatchObject({ ok: false, problems: [{ chain: 'site_a', seq: 2, kind: 'body_changed' }] });
  });
});
