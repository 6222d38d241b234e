import {
  auditActivity,
  auditExport,
  auditQuery,
  auditState,
  auditUsage,
  auditVerify,
  explainTools,
} from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { verifyPrincipal } from '@cloudhal/shared/permit';
import { type Role, roles } from '@cloudhal/shared/policy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerCalls, callTool, codeOf } from '../testing/mcp.ts';
import { type Browser, type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let replica: Replica;
const people = {} as Record<Role, Browser>;
const asked: Record<string, unknown>[] = [];
/** What the other services would say; they judge by the role in what the gateway signed. */
let breaksOff = false;
const state = { chains: 1, events: 2, verifying: false };

beforeAll(async () => {
  world = await startWorld('postgres');
  const limits = { signIn: { perMinute: 6000, burst: 1000 } };
  replica = await world.replica({ limits });
  for (const role of roles) people[role] = await world.person(replica, role);
  const { bus } = replica;
  const who = (token: string) => verifyPrincipal(token, world.verifier);
  const note = (what: string, { principal, ...query }: { principal: string }) => {
    const { id, role } = who(principal);
    asked.push({ what, id, role, ...query });
    return role;
  };
  await bus.answer(auditQuery, async (query) => {
    note('lines', query);
    return { lines: [] };
  });
  await bus.answer(auditActivity, async (query) => {
    note('entries', query);
    return { entries: [] };
  });
  await bus.answer(auditExport, async (query) => {
    note('export', query);
    if (query.cursor !== undefined && breaksOff) throw fail('storage_unavailable');
    if (query.tool === 'many') return { text: '{}\n', lines: 60_000, cursor: 'next' };
    const text = 'x'.repeat(200_000);
    return {
      text: `${text}\n`,
      lines: 500,
      ...(query.cursor !== '3' && { cursor: String(Number(query.cursor ?? 0) + 1) }),
    };
  });
  await bus.answer(auditUsage, async (query) => {
    note('usage', query);
    return { agents: [{ id: 'agent:k', calls: 3, denied: 1, waited: 0 }] };
  });
  const mustSeeAll = async (query: { principal: string }) => {
    const role = note('record', query);
    if (role !== 'owner' && role !== 'auditor') throw fail('forbidden', { needs: 'an owner or an auditor' });
    return state;
  };
  await bus.answer(auditState, mustSeeAll);
  await bus.answer(auditVerify, mustSeeAll);
  await bus.answer(explainTools, async ({ principal, by, site }) => {
    const { id, mode, scopes } = who(principal);
    asked.push({ what: 'outcomes', id, mode, scopes, by: who(by).id, ...(site && { site }) });
    return { mode, tainted: false, tools: [] };
  });
  await answerCalls(bus, world.verifier);
});
beforeEach(() => {
  asked.length = 0;
  breaksOff = false;
});
afterAll(() => world.stop());

describe('the record', () => {
  it('is asked for as who is signed in, with what they look for', async () => {
    const { reviewer } = people;
    const path = '/api/activity/entries?person=person:a&kind=calls&since=2026-01-01&limit=500&cursor=c';
    expect((await reviewer.send(path)).json).toEqual({ entries: [] });
    const looked = { person: 'person:a', kind: 'calls', since: '2026-01-01', limit: 200, cursor: 'c' };
    expect(asked).toEqual([{ what: 'entries', id: `person:${reviewer.memberId}`, role: 'reviewer', ...looked }]);
    expect((await replica.send('/api/activity/entries')).status).toBe(401);
  });

  it.each([
    '/api/activity/entries?kind=secrets',
    '/api/activity/entries?principal=owner',
    '/api/activity/entries?tool=a&tool=b',
    '/api/activity/export',
    '/api/activity/export?format=xlsx',
    '/api/activity/export?format=csv&cursor=c',
    `/api/activity?tool=${'x'.repeat(301)}`,
  ])('refuses %s', async (path) => {
    expect(codeOf(await people.owner.send(path))).toBe('validation_failed');
    expect(asked).toEqual([]);
  });

  it('is exported as a file, piece by piece to its end', async () => {
    const { status, headers, text } = await people.auditor.send('/api/activity/export?format=csv&tool=publish');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="cloudhal-activity-[0-9-]{10}\.csv"$/);
    expect(text.length).toBe(4 * 200_001);
    expect(asked.map(({ cursor, tool }) => [cursor, tool])).toEqual(
      [undefined, '1', '2', '3'].map((cursor) => [cursor, 'publish']),
    );
  });

  it('says in its last line, which either format can hold, that it is cut after 100,000 entries', async () => {
    const { text } = await people.auditor.send('/api/activity/export?format=jsonl&tool=many');
    const last = 'cut off after 120000 entries: export a shorter time';
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([{}, {}, last]);
    expect(asked).toHaveLength(2);
  });

  it('breaks off with the download where it cannot be read to its end', async () => {
    breaksOff = true;
    await expect(people.owner.send('/api/activity/export?format=jsonl')).rejects.toThrow();
  });

  it.each(roles)('%s may look at whether it is whole and verify it, or is refused', async (role) => {
    const allowed = role === 'owner' || role === 'auditor';
    const answers = [
      await people[role].send('/api/activity/record'),
      await people[role].send('/api/activity/record/verify', { json: {} }),
    ];
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(allowed ? 200 : 403);
      if (allowed) expect(answer.json.record).toEqual(state);
    }
  });
});

describe('an agent key in Studio', () => {
  const mint = async (role: Role, wish: object = {}) => {
    const made = await people[role].send('/api/agent-keys', {
      json: { name: 'robot', scopes: ['content:read'], ...wish },
    });
    expect(made.status, made.text).toBe(201);
    return made.json as { key: { id: string; expiresAt: string; ratePerMinute: number | null }; secret: string };
  };

  it('says what it may do, from policy, as it is now', async () => {
    const { owner } = people;
    const { key } = await mint('owner', { mode: 'manual' });
    const answer = await owner.send(`/api/agent-keys/${key.id}/outcomes?site=st_1`);
    expect(answer.json).toEqual({ mode: 'manual', tainted: false, tools: [] });
    const expected = {
      what: 'outcomes',
      id: `agent:${key.id}`,
      mode: 'manual',
      scopes: ['content:read'],
      site: 'st_1',
    };
    expect(asked).toEqual([{ ...expected, by: `person:${owner.memberId}` }]);
    await owner.send(`/api/agent-keys/${key.id}`, { method: 'DELETE' });
    expect(codeOf(await owner.send(`/api/agent-keys/${key.id}/outcomes`))).toBe('not_found');
  });

  it('says so before it is made, within what its maker may give', async () => {
    const { reviewer, editor } = people;
    const path = '/api/agent-keys/outcomes';
    const wish = { scopes: ['publish'], mode: 'auto' };
    expect((await editor.send(path, { json: wish })).json).toMatchObject({ mode: 'auto' });
    expect(asked).toMatchObject([{ mode: 'auto', scopes: ['publish'], by: `person:${editor.memberId}` }]);
    expect(codeOf(await reviewer.send(path, { json: wish }))).toBe('scope_missing');
    expect(codeOf(await reviewer.send(path, { json: { scopes: ['preview'], mode: 'edits' } }))).toBe('forbidden');
    expect(codeOf(await editor.send(path, { json: { ...wish, role: 'owner' } }))).toBe('validation_failed');
    expect((await editor.send('/api/agent-keys')).json.keys.some(({ id }: { id: string }) => id.includes('wish'))).toBe(
      false,
    );
  });

  it.each([
    ['reviewer', { mode: 'edits', scopes: ['preview'] }, 'forbidden'],
    ['reviewer', { scopes: ['publish'] }, 'scope_missing'],
    ['reviewer', { scopes: '*' }, 'forbidden'],
    ['auditor', { mode: 'manual', scopes: ['content:read'] }, 'forbidden'],
    ['auditor', { scopes: ['content:write'] }, 'scope_missing'],
    ['auditor', { scopes: '*' }, 'forbidden'],
  ] as const)('is not made by a %s with more than they may: %j', async (role, wish, code) => {
    const made = await people[role].send('/api/agent-keys', { json: { name: 'robot', ...wish } });
    expect([made.status, codeOf(made)]).toEqual([403, code]);
    expect(codeOf(await people[role].send('/api/agent-keys/outcomes', { json: wish }))).toBe(code);
  });

  it('may be given a lower rate than others, and a new date to end on, which hold at once', async () => {
    const { editor } = people;
    const { key, secret } = await mint('editor', { ratePerMinute: 2, expiresInDays: 1 });
    const calls = async (secret: string) => {
      const answer = await callTool(replica, { authorization: `Bearer ${secret}` });
      return answer.status === 200 ? 'ran' : codeOf(answer);
    };
    expect([await calls(secret), await calls(secret), await calls(secret)]).toEqual(['ran', 'ran', 'rate_limited']);
    const changed = await editor.send(`/api/agent-keys/${key.id}`, {
      ...{ method: 'PATCH', json: { ratePerMinute: null, expiresInDays: 30, toolsets: [] } },
    });
    expect(changed.json.key).toMatchObject({ ratePerMinute: null, toolsets: null });
    expect(Date.parse(changed.json.key.expiresAt)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    expect(await calls(secret)).toBe('ran');
  });

  it.each(roles)('is seen, changed and ended by its owner and owners of the deployment: %s', async (role) => {
    const { key } = await mint('editor');
    const at = `/api/agent-keys/${key.id}`;
    const [sees, changes] = [role !== 'reviewer', role === 'owner' || role === 'editor'];
    const status = async (path: string, options = {}) => (await people[role].send(path, options)).status;
    expect(await status(at)).toBe(sees ? 200 : 404);
    expect(await status(`${at}/outcomes`)).toBe(sees ? 200 : 404);
    expect(await status(at, { method: 'PATCH', json: { name: 'other' } })).toBe(changes ? 200 : 404);
    const rotates = { editor: 200, owner: 403, reviewer: 404, auditor: 404 }[role];
    expect(await status(`${at}/rotate`, { json: {} })).toBe(rotates);
    expect(await status(at, { method: 'DELETE' })).toBe(changes ? 200 : 404);
  });

  it('is counted by the record, as far as who asks may see', async () => {
    const { json } = await people.reviewer.send('/api/agent-keys/usage');
    expect(json).toEqual({ agents: [{ id: 'agent:k', calls: 3, denied: 1, waited: 0 }] });
    const since = Date.parse(String(asked[0]!.since));
    expect(Date.now() - since).toBeGreaterThanOrEqual(7 * 86_400_000);
    expect(asked[0]).toMatchObject({ role: 'reviewer' });
    expect((await replica.send('/api/agent-keys/usage')).status).toBe(401);
  });
});
