import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import {
  type ApprovalView,
  auditQuery,
  decideApproval,
  decideElevation,
  listApprovals,
  listElevations,
  resolve,
  setSiteRules,
  siteRules,
  sites,
} from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { verifyPrincipal } from '@cloudhal/shared/permit';
import type { Static } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../testing/mcp.ts';
import { type Browser, type Replica, startWorld, type World } from '../testing/world.ts';
import { decide } from './decide-approval.ts';

type Approval = Static<typeof ApprovalView>;

let world: World;
let replica: Replica;
let owner: Browser;
let reviewer: Browser;
let keyId: string;
/** As policy-service keeps them; each decision is one compare-and-set. */
const approvals = new Map<string, Approval>();
const asked: Record<string, unknown>[] = [];

function waiting(id: string, change: Partial<Approval> = {}): Approval {
  const approval: Approval = {
    id,
    tool: 'publish',
    state: 'pending',
    principal: { id: `agent:${keyId}`, name: 'robot' },
    mode: 'edits',
    reason: 'publishing needs a person',
    summary: { title: 'Publish 1 article', lines: ['A seal'] },
    alwaysPerson: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-02T00:00:00.000Z',
    ...change,
  };
  approvals.set(id, approval);
  return approval;
}

beforeAll(async () => {
  world = await startWorld();
  replica = await world.replica();
  owner = await world.person(replica, 'owner');
  reviewer = await world.person(replica, 'reviewer');
  keyId = (await owner.send('/api/agent-keys', { json: { name: 'robot', scopes: '*' } })).json.key.id;
  const { bus } = replica;
  const who = (token: string) => verifyPrincipal(token, world.verifier).id;
  await bus.answer(listApprovals, async ({ principal, id, states, limit }) => {
    asked.push({ list: who(principal), id, states, limit });
    const found = [...approvals.values()].filter((one) => id === undefined || one.id === id);
    return { approvals: found.filter(({ state }) => !states || states.includes(state)) };
  });
  await bus.answer(decideApproval, async ({ principal, id, decision, callId, recentSignIn, reason, requester }) => {
    const by = who(principal);
    asked.push({ decision, by, recentSignIn, reason, callId, requester: requester && who(requester) });
    const approval = approvals.get(id)!;
    if (approval.state === 'expired') throw fail('approval_expired');
    if (approval.alwaysPerson && !recentSignIn) throw fail('reauthentication_required');
    if (approval.state !== 'pending') {
      throw fail('approval_decided', { state: approval.state, by: approval.decidedBy, at: approval.decidedAt });
    }
    const state = decision === 'approve' ? 'approved' : 'rejected';
    Object.assign(approval, { state, decidedBy: by, decidedAt: '2026-01-01T10:00:00.000Z' });
    if (decision === 'reject') return { kind: 'rejected' as const };
    if (id === 'stale') {
      const { summary, expiresAt } = approval;
      const question = { id: 'fresh', summary, reason: 'it moved', expiresAt, personOnly: false };
      return { kind: 'approval_required' as const, approval: { ...question, requestState: 'x', confirmToken: 'y' } };
    }
    return { kind: 'result' as const, result: { data: { published: 1 }, snapshot: 'snap_1' } };
  });
});
beforeEach(() => {
  approvals.clear();
  asked.length = 0;
});
afterAll(() => world.stop());

const approve = (person: Browser, id: string) => person.send(`/api/approvals/${id}/approve`, { json: {} });
const reject = (person: Browser, id: string, json = {}) => person.send(`/api/approvals/${id}/reject`, { json });

describe('what waits for a person', () => {
  it('is listed to who is signed in, as that person', async () => {
    waiting('a');
    waiting('b', { state: 'rejected' });
    const listed = await reviewer.send('/api/approvals?state=pending,approved&limit=500');
    expect(listed.json.approvals.map(({ id }: Approval) => id)).toEqual(['a']);
    expect(asked[0]).toMatchObject({
      list: `person:${reviewer.memberId}`,
      states: ['pending', 'approved'],
      limit: 200,
    });
    expect((await reviewer.send('/api/approvals/b')).json.approval.state).toBe('rejected');
    expect((await reviewer.send('/api/approvals/none')).status).toBe(404);
    expect((await replica.send('/api/approvals')).status).toBe(401);
    expect((await reviewer.send('/api/approvals?state=a&state=b')).status).toBe(400);
    expect((await reviewer.send('/api/approvals?principal=owner')).status).toBe(400);
  });
});

describe('an answer to what waits', () => {
  it('runs the call as the agent is now, and shows the result', async () => {
    waiting('a');
    const answer = await approve(reviewer, 'a');
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({
      outcome: 'ran',
      approval: { id: 'a', state: 'approved', decidedBy: `person:${reviewer.memberId}` },
      result: { data: { published: 1 }, snapshot: 'snap_1' },
    });
    expect(asked.find(({ decision }) => decision)).toMatchObject({ requester: `agent:${keyId}`, recentSignIn: true });
  });

  it('runs it as the agent is now also where it was approved before and took no effect', async () => {
    waiting('a', { state: 'approved' });
    await approve(owner, 'a');
    expect(asked.find(({ decision }) => decision)).toMatchObject({ requester: `agent:${keyId}` });
  });

  it('may be no, with a reason', async () => {
    waiting('a');
    const answer = await reject(owner, 'a', { reason: 'not today' });
    expect(answer.json).toMatchObject({ outcome: 'rejected', approval: { state: 'rejected' } });
    expect(asked.find(({ decision }) => decision)).toMatchObject({ decision: 'reject', reason: 'not today' });
  });

  it('is taken from one of two people: the other reads who was first, and when', async () => {
    for (let round = 0; round < 10; round++) {
      waiting('a');
      const answers = await Promise.all([approve(owner, 'a'), reject(reviewer, 'a'), approve(reviewer, 'a')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const late = answers.find(({ status }) => status === 409)!;
      expect(codeOf(late)).toBe('approval_decided');
      expect(late.json.message).toMatch(/already (approved|rejected), by person:\w+ at 2026-01-01/);
      expect(late.json.call_id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('comes too late in an old tab', async () => {
    waiting('a', { state: 'expired' });
    const answer = await approve(owner, 'a');
    expect([answer.status, codeOf(answer)]).toEqual([409, 'approval_expired']);
  });

  it('asks for a recent sign-in where policy does', async () => {
    waiting('a', { alwaysPerson: true });
    await world.owner.query(
      `UPDATE gateway."session" SET "authenticatedAt" = now() - interval '11 minutes' WHERE "userId" = $1`,
      [reviewer.memberId],
    );
    expect(codeOf(await approve(reviewer, 'a'))).toBe('reauthentication_required');
    expect((await approve(owner, 'a')).status).toBe(200);
  });

  it('names the new question where what was asked had moved, without the agent’s tokens', async () => {
    waiting('stale');
    const answer = await approve(owner, 'stale');
    expect(answer.json).toMatchObject({ outcome: 'asked_again', replacedBy: 'fresh' });
    expect(answer.text).not.toMatch(/requestState|confirmToken/);
  });

  it('is refused once the key that asked is revoked, but may still be no', async () => {
    const made = await owner.send('/api/agent-keys', { json: { name: 'gone', scopes: '*' } });
    const principal = { id: `agent:${made.json.key.id}`, name: 'gone' };
    await owner.send(`/api/agent-keys/${made.json.key.id}`, { method: 'DELETE' });
    waiting('a', { principal });
    const answer = await approve(owner, 'a');
    expect([answer.status, codeOf(answer)]).toEqual([403, 'approval_revoked']);
    expect((await reject(owner, 'a')).json.outcome).toBe('rejected');
  });

  it('runs the call of a person as they are now, and not once they left', async () => {
    const editor = await world.person(replica, 'editor');
    const principal = { id: `person:${editor.memberId}`, name: 'The editor' };
    waiting('a', { principal });
    expect((await approve(owner, 'a')).json.outcome).toBe('ran');
    expect(asked.find(({ decision }) => decision)).toMatchObject({ requester: principal.id });
    waiting('b', { principal });
    await owner.send(`/api/people/${editor.memberId}`, { method: 'DELETE' });
    expect(codeOf(await approve(owner, 'b'))).toBe('approval_revoked');
    expect(approvals.get('b')?.state).toBe('pending');
  });

  it.each([{ principal: 'x' }, { recentSignIn: true }, { callId: 'x' }, { requester: 'x' }])(
    'takes nothing else from the body: %j',
    async (forged) => {
      waiting('a');
      expect(codeOf(await owner.send('/api/approvals/a/approve', { json: forged }))).toBe('validation_failed');
      expect(approvals.get('a')?.state).toBe('pending');
    },
  );

  it('is 503 while policy-service is away', async () => {
    const alone = await world.replica();
    const { cookie } = owner;
    const answer = await alone.send('/api/approvals', { headers: { cookie } });
    expect([answer.status, codeOf(answer)]).toEqual([503, 'policy_unavailable']);
  });
});

describe('an answer whose fate is not known', () => {
  const decision = { principal: 'p', id: 'a', decision: 'approve', recentSignIn: true } as const;

  it.each([
    [{ state: 'succeeded', result: { data: 1 } }, 'ran'],
    [{ state: 'failed', error: fail('rev_conflict', { node: 'x', sent: 1, currentRev: 2 }).body }, 'rev_conflict'],
    [{ state: 'aborted' }, 'deadline_exceeded_not_applied'],
    [undefined, 'outcome_unknown'],
  ] as const)('is looked up: %j', async (resolution, outcome) => {
    const bus = createInProcessBus();
    await bus.answer(listApprovals, async () => ({
      approvals: [waiting('a', { principal: { id: 'local', name: 'x' } })],
    }));
    await bus.answer(decideApproval, () => new Promise(() => {}));
    if (resolution) await bus.answer(resolve, async () => structuredClone(resolution) as { state: 'aborted' });
    const said = await decide(bus, decision, async () => undefined, 50).then(
      (decided) => decided.outcome,
      ({ body }) => body.code,
    );
    expect(said).toBe(outcome);
  });
});

describe('a no whose fate is not known', () => {
  it.each([
    ['rejected', 'rejected'],
    ['pending', 'policy_unavailable'],
  ])('is looked up where it is kept: %s', async (state, outcome) => {
    const bus = createInProcessBus();
    await bus.answer(listApprovals, async () => ({ approvals: [waiting('a', { state })] }));
    await bus.answer(decideApproval, () => new Promise(() => {}));
    const decision = { principal: 'p', id: 'a', decision: 'reject', recentSignIn: true } as const;
    const said = await decide(bus, decision, async () => undefined, 50).then(
      (decided) => decided.outcome,
      ({ body }) => body.code,
    );
    expect(said).toBe(outcome);
  });
});

describe('elevations, site rules, sites and the record', () => {
  it('are asked for as the person who is signed in', async () => {
    const { bus } = replica;
    const who = (token: string) => verifyPrincipal(token, world.verifier).id;
    const elevation = {
      id: 'e',
      principal: { id: `agent:${keyId}`, name: 'robot', mode: 'edits' },
      state: 'pending',
      mode: 'auto',
      minutes: 30,
      reason: 'much to do',
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const rules = {
      smallPublishNodes: 3,
      personAttested: 'off',
      confirmTokenFallback: true,
      taintMinutes: 30,
      fourEyes: false,
    } as const;
    await bus.answer(listElevations, async () => ({ elevations: [elevation] }));
    await bus.answer(decideElevation, async ({ principal, decision, mode, minutes }) => {
      asked.push({ decision, by: who(principal), mode, minutes });
      return { ...elevation, state: decision };
    });
    await bus.answer(sites, async () => ({ sites: [{ id: 's', slug: 'seals', title: 'Seals' }] }));
    await bus.answer(siteRules, async () => rules);
    await bus.answer(setSiteRules, async ({ principal, site, rules: change }) => {
      asked.push({ by: who(principal), site, change });
      if (who(principal) !== `person:${owner.memberId}`) throw fail('forbidden', { needs: 'an owner' });
      return rules;
    });
    await bus.answer(auditQuery, async ({ principal, tool, limit }) => {
      asked.push({ by: who(principal), tool, limit });
      return { lines: [] };
    });

    expect((await owner.send('/api/elevations')).json.elevations).toHaveLength(1);
    const granted = await owner.send('/api/elevations/e/grant', { json: { mode: 'edits', minutes: 10 } });
    expect(granted.json.elevation.state).toBe('grant');
    expect(asked.at(-1)).toEqual({ decision: 'grant', by: `person:${owner.memberId}`, mode: 'edits', minutes: 10 });
    const sessions = 'UPDATE gateway."session" SET "authenticatedAt" = now()';
    await world.owner.query(`${sessions} - interval '11 minutes'`);
    const late = await owner.send('/api/elevations/e/grant', { json: {} });
    expect(codeOf(late)).toBe('reauthentication_required');
    expect((await owner.send('/api/elevations/e/refuse', { json: {} })).json.elevation.state).toBe('refuse');
    await world.owner.query(sessions);
    expect((await owner.send('/api/elevations/e/end', { json: {} })).json.elevation.state).toBe('end');
    expect((await owner.send('/api/elevations/e/refuse', { json: { minutes: 5 } })).status).toBe(400);

    expect((await reviewer.send('/api/sites')).json.sites).toHaveLength(1);
    expect((await reviewer.send('/api/site-rules/s')).json.rules).toEqual(rules);
    const path = '/api/site-rules/s';
    expect((await owner.send(path, { method: 'PATCH', json: { publishingWindow: null } })).status).toBe(200);
    expect(asked.at(-1)).toMatchObject({ site: 's', change: { publishingWindow: null } });
    expect(codeOf(await reviewer.send(path, { method: 'PATCH', json: { fourEyes: true } }))).toBe('forbidden');
    expect(codeOf(await owner.send(path, { method: 'PATCH', json: { everything: true } }))).toBe('validation_failed');

    expect((await reviewer.send('/api/activity?tool=publish&limit=50')).json).toEqual({ lines: [] });
    expect(asked.at(-1)).toEqual({ by: `person:${reviewer.memberId}`, tool: 'publish', limit: 50 });
    expect((await owner.send('/api/activity?limit=0')).status).toBe(400);
  });
});

describe('Studio without sign-in', () => {
  it('is the developer at this machine, and served to this machine only', async () => {
    const open = await world.replica({ noAuth: true });
    const session = await open.send('/api/session');
    expect(session.json).toMatchObject({ person: { id: 'local', role: 'owner' }, recentSignIn: true });
    const forged = await open.send('/api/agent-keys', {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: '{"name":"x","scopes":"*"}',
    });
    expect(forged.status).toBe(403);
    await expect(world.replica({ noAuth: true, listen: { host: '0.0.0.0', port: 0 } })).rejects.toThrow(/this machine/);
    await expect(world.replica({ noAuth: true, publicUrl: 'https://x.example' })).rejects.toThrow(/this machine/);
  });
});
