import { askPolicy, explain, explainTools, setSiteRules, siteRules } from '@cloudhal/shared/contracts';
import { argumentsHash, type Permit, signPermit } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import { generateSigner } from '@cloudhal/shared/secrets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anAgent, aPerson } from './testing/facts.ts';
import { anAgentOfItsOwn, codeOf, type House, openHouse, yes } from './testing/house.ts';
import { someTools } from './testing/tool-rooms.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.stop());
afterEach(async () => {
  house.rooms.assessment = {};
  await house.database.query('DELETE FROM policy.site_rules');
});

async function own(
  principal: Principal,
  tool: string,
  args: object = {},
): Promise<{ data: unknown; changed?: boolean }> {
  const reply = await house.call(tool, { ...args }, { principal });
  if (reply.kind !== 'result') throw new Error(`${tool} waits.`);
  return reply.result as { data: unknown; changed?: boolean };
}

describe('get_mode', () => {
  it('says what the agent may do, and what waits', async () => {
    const principal = anAgentOfItsOwn({ mode: 'bypass', scopes: ['publish', 'content:write', 'comments:read'] });
    const { id } = await house.question('publish', { what: 'x' }, { principal });
    expect((await own(principal, 'get_mode')).data).toEqual({
      mode: 'bypass',
      effectiveMode: 'edits',
      calls: {
        read: 'allow',
        view: 'allow',
        edit: 'allow',
        ask: 'allow',
        delete: 'person',
        publish: 'person',
        'auto-publish': 'person',
        person: 'person',
      },
      elevations: [],
      requestedElevation: null,
      scopes: ['publish', 'content:write', 'comments:read'],
      sites: '*',
      taintedUntil: null,
      waiting: [
        {
          id,
          tool: 'publish',
          site: 'site_1',
          title: 'Publish 1 article on "Main"',
          expiresAt: expect.stringMatching(/^20/),
        },
      ],
    });
    await house.call('list_comments', {}, { principal });
    expect((await own(principal, 'get_mode')).data).toMatchObject({ taintedUntil: expect.stringMatching(/^20/) });
  });
});

describe('a site that a key was taken from', () => {
  it('is not shown any more in what waits', async () => {
    house.rooms.sites.push({ id: 'site_2', slug: 'two', title: 'Two' });
    const before = anAgentOfItsOwn({ sites: ['site_1', 'site_2'] });
    await house.question('publish', { site: 'site_1', what: 'secret' }, { principal: before });
    const now = { ...before, sites: ['site_2'] };
    house.rooms.sites.pop();
    expect((await own(now, 'list_approvals')).data).toEqual({ approvals: [] });
    expect((await own(now, 'get_mode')).data).toMatchObject({ waiting: [] });
    expect((await own(before, 'get_mode')).data).toMatchObject({ waiting: [{ site: 'site_1' }] });
  });
});

describe('explain_policy', () => {
  it('is the decision without its consequences', async () => {
    const principal = anAgentOfItsOwn();
    const before = [(await house.approvals()).length, (await house.record()).length, house.rooms.effects.length];
    const why = (args: object) => own(principal, 'explain_policy', args).then(({ data }) => data);
    expect(await why({ tool: 'update_page', arguments: { title: 'x' } })).toEqual({
      decision: 'allow',
      rule: 'edits/edit',
      reasons: ['in mode edits, it edits a draft'],
      effect: 'edit',
      mode: 'edits',
    });
    house.rooms.assessment = { effect: 'person', reasons: ['a person record becomes public'] };
    expect(await why({ tool: 'publish', arguments: { what: 'x' } })).toMatchObject({
      decision: 'person',
      code: 'approval_required',
      rule: 'edits/person',
      reasons: expect.arrayContaining(['a person record becomes public']),
    });
    expect(await why({ tool: 'list_comments', arguments: {} })).toMatchObject({ decision: 'allow' });
    expect(await why({ tool: 'update_page', arguments: { nope: 1 } })).toMatchObject({
      decision: 'deny',
      code: 'validation_failed',
    });
    expect(await why({ tool: 'update_page', arguments: {}, skill: 'unheard-of' })).toMatchObject({
      code: 'skill_unknown',
    });
    expect(await why({ tool: 'drop_all' })).toMatchObject({ decision: 'deny', code: 'unknown_tool' });
    expect([(await house.approvals()).length, (await house.record()).length]).toEqual(before.slice(0, 2));
    expect(await house.keyValue.get(`taint:${principal.keyId}`)).toBeUndefined();
    expect(house.rooms.effects.length).toBe(before[2]);
  });

  it('answers Studio about a key, with or without arguments', async () => {
    const ask = (principal: Principal, question: object) =>
      house.bus.request(
        explain,
        { principal: house.token(principal), tool: 'publish', ...question },
        { timeoutMs: 5_000 },
      );
    expect(await ask(anAgent, {})).toMatchObject({ decision: 'person', code: 'approval_required' });
    expect(await ask({ ...anAgent, mode: 'plan' }, {})).toMatchObject({ decision: 'deny', code: 'mode_forbids' });
    expect(await ask({ ...anAgent, mode: 'auto' }, { arguments: { what: 'x' } })).toMatchObject({ decision: 'allow' });
  });
});

describe('what a key may do', () => {
  const ask = (principal: Principal, by = aPerson, site?: string) =>
    house.bus.request(
      explainTools,
      { principal: house.token(principal), by: house.token(by), ...(site !== undefined && { site }) },
      { timeoutMs: 5_000 },
    );

  it('is said for each tool by the function that decides, with its rule', async () => {
    const principal = anAgentOfItsOwn({ mode: 'auto', scopes: ['site:read', 'content:write', 'publish'] });
    const { tools, mode, tainted } = await ask(principal);
    expect([mode, tainted]).toEqual(['auto', false]);
    expect(tools.map(({ tool }) => tool)).toEqual(someTools.map(({ name }) => name));
    const of = (name: string) => tools.find(({ tool }) => tool === name);
    expect(of('update_page')).toMatchObject({ decision: 'allow', rule: 'auto/edit', scopes: ['content:write'] });
    expect(of('publish')).toMatchObject({
      decision: 'person',
      rule: 'auto/auto-publish',
      smallRule: 'small-publish',
      reasons: [expect.stringContaining('mode auto')],
    });
    expect(of('list_comments')).toMatchObject({ decision: 'deny', rule: 'scope' });
    const plan = await ask({ ...principal, mode: 'plan' });
    expect(plan.tools.find(({ tool }) => tool === 'publish')).toMatchObject({
      decision: 'deny',
      rule: 'plan/auto-publish',
    });
  });

  it('follows a taint, and the rules of the site', async () => {
    const principal = anAgentOfItsOwn({ mode: 'auto' });
    await house.call('list_comments', {}, { principal });
    const { tainted, tools } = await ask(principal);
    expect(tainted).toBe(true);
    const publish = tools.find(({ tool }) => tool === 'publish')!;
    expect(publish).toMatchObject({ decision: 'person' });
    expect(publish.smallRule).toBeUndefined();
    expect(publish.reasons.join()).toContain('strangers');
  });

  it('is told to people alone, and not of a key that ended', async () => {
    await expect(ask(anAgent, anAgent)).rejects.toMatchObject({ code: 'forbidden' });
    const principal = anAgentOfItsOwn({});
    await house.keyValue.set(`revoked:${principal.keyId}`, 'revoked');
    await expect(ask(principal)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('an agent’s own approvals', () => {
  it('can be listed and withdrawn, not those of others', async () => {
    const [principal, other] = [anAgentOfItsOwn(), anAgentOfItsOwn()];
    const question = await house.question('publish', { what: 'x' }, { principal });
    const foreign = await house.question('publish', { what: 'x' }, { principal: other });
    const list = async (args: object = {}) =>
      ((await own(principal, 'list_approvals', args)).data as { approvals: { id: string; state: string }[] }).approvals;
    expect(await list()).toMatchObject([{ id: question.id, state: 'pending' }]);
    expect(await list({ status: 'rejected' })).toEqual([]);
    expect(await codeOf(own(principal, 'cancel_approval', { approval: foreign.id }))).toBe('not_found');
    expect(await own(principal, 'cancel_approval', { approval: question.id })).toMatchObject({
      data: { id: question.id, state: 'withdrawn' },
      changed: true,
    });
    expect(await own(principal, 'cancel_approval', { approval: question.id })).toMatchObject({ changed: false });
    expect(await codeOf(house.decide(question.id, 'approve'))).toBe('approval_decided');
    expect(await house.stateOf(foreign.id)).toBe('pending');
    // An answer to the withdrawn question asks anew.
    const fresh = await house.question('publish', { what: 'x' }, { principal, ...yes(question) });
    expect(fresh.id).not.toBe(question.id);
    await house.decide(fresh.id, 'reject');
    expect(await codeOf(own(principal, 'cancel_approval', { approval: fresh.id }))).toBe('approval_decided');
  });
});

describe('proposals of terms', () => {
  it('are listed for whoever works on the site, with what became of them', async () => {
    const [principal, other] = [anAgentOfItsOwn(), anAgentOfItsOwn()];
    const list = async (args: object) =>
      ((await own(other, 'list_term_proposals', { site: 'site_1', ...args })).data as { proposals: object[] })
        .proposals;
    const waiting = await house.question('propose_term', { op: 'merge', term: 'a' }, { principal });
    const declined = await house.question('propose_term', { op: 'delete', term: 'b' }, { principal });
    await house.question('publish', { what: 'x' }, { principal });
    await house.decide(declined.id, 'reject', { reason: 'Still needed.' });
    expect(await list({ status: 'open' })).toMatchObject([{ id: waiting.id, state: 'pending', by: principal.name }]);
    expect(await list({ status: 'decided' })).toMatchObject([{ id: declined.id, rejectReason: 'Still needed.' }]);
    expect(await list({})).toHaveLength(2);
  });
});

describe('asking with a permit', () => {
  const base: Permit = {
    callId: 'c1',
    tool: 'get_mode',
    argumentsHash: argumentsHash({}),
    principal: { id: anAgent.id, kind: 'agent', name: 'x' },
    sites: '*',
    scopes: '*',
    mode: 'edits',
    rule: 'x',
    policyVersion: '1',
    answerTo: '',
    asker: anAgent,
  };
  const ask = (permit: string, args: object = {}) =>
    codeOf(house.bus.request(askPolicy, { permit, arguments: { ...args } }, { timeoutMs: 5_000 }));

  it('needs a valid one, for one of these tools, these arguments and this principal', async () => {
    const { policy, gateway } = house;
    expect(await ask(signPermit(base, policy))).toBe('no error: undefined');
    expect(await ask(signPermit(base, gateway))).toBe('permit_invalid');
    expect(await ask(signPermit(base, generateSigner().signer))).toBe('permit_invalid');
    expect(await ask('')).toBe('permit_invalid');
    expect(await ask(house.token(anAgent))).toBe('permit_invalid');
    expect(await ask(signPermit(base, policy), { site: 'x' })).toBe('permit_invalid');
    expect(await ask(signPermit({ ...base, tool: 'publish' }, policy))).toBe('permit_invalid');
    expect(await ask(signPermit({ ...base, tool: 'constructor' }, policy))).toBe('permit_invalid');
    expect(await ask(signPermit({ ...base, asker: { ...anAgent, id: 'agent:other' } }, policy))).toBe('permit_invalid');
    const { asker: _, ...without } = base;
    expect(await ask(signPermit(without, policy))).toBe('permit_invalid');
  });
});

describe('the rules of a site', () => {
  const read = () => house.bus.request(siteRules, { site: 'site_1' }, { timeoutMs: 5_000 });
  const set = (rules: object, person: Principal = aPerson, site = 'site_1') =>
    house.bus.request(setSiteRules, { principal: house.token(person), site, rules }, { timeoutMs: 5_000 });
  const window = { timeZone: 'Europe/Berlin', days: [1, 2], from: '09:00', to: '17:00' };
  const defaults = {
    smallPublishNodes: 5,
    personAttested: 'off',
    confirmTokenFallback: true,
    taintMinutes: 30,
    fourEyes: false,
  };

  it('have defaults, and an owner changes one at a time', async () => {
    expect(await read()).toEqual(defaults);
    await set({ smallPublishNodes: 2 });
    expect(await set({ publishingWindow: window })).toEqual({
      ...defaults,
      smallPublishNodes: 2,
      publishingWindow: window,
    });
    expect(await set({ publishingWindow: null })).toEqual({ ...defaults, smallPublishNodes: 2 });
    expect(await read()).toEqual({ ...defaults, smallPublishNodes: 2 });
    const events = await house.record('config.site_rules');
    expect(events.at(-1)).toMatchObject({
      site: 'site_1',
      actor: { type: 'person', id: aPerson.id },
      details: { before: { publishingWindow: window }, after: { smallPublishNodes: 2 } },
    });
  });

  it('are an owner’s alone, for a site that there is, in a form that can be used', async () => {
    for (const role of ['editor', 'reviewer', 'auditor'] as const) {
      expect(await codeOf(set({ fourEyes: true }, { ...aPerson, role }))).toBe('forbidden');
    }
    expect(await codeOf(set({ fourEyes: true }, anAgentOfItsOwn()))).toBe('forbidden');
    expect(await codeOf(set({}, aPerson, 'site_9'))).toBe('not_found');
    expect(await codeOf(set({ publishingWindow: { ...window, timeZone: 'Moon/Base' } }))).toBe('validation_failed');
    expect(await codeOf(set({ publishingWindow: { ...window, to: '25:00' } }))).toBe('validation_failed');
    expect(await read()).toEqual(defaults);
  });

  it('hold at once', async () => {
    const principal = anAgentOfItsOwn({ mode: 'auto' });
    expect((await house.call('publish', { what: 'x' }, { principal })).kind).toBe('result');
    await set({ smallPublishNodes: 0 });
    expect((await house.call('publish', { what: 'x' }, { principal })).kind).toBe('approval_required');
    await set({ taintMinutes: 0, smallPublishNodes: 5 });
    await house.call('list_comments', {}, { principal });
    expect((await house.call('publish', { what: 'y' }, { principal })).kind).toBe('result');
  });
});

describe('a tool that tells whether a publish would run', () => {
  const permitOf = (tool: string, asker: Principal | undefined): string =>
    signPermit(
      {
        callId: 'c1',
        tool,
        argumentsHash: argumentsHash({ site: 'site_1' }),
        principal: { id: 'agent:k', kind: 'agent', name: 'x' },
        site: 'site_1',
        sites: '*',
        scopes: '*',
        mode: 'edits',
        rule: 'edits/read',
        policyVersion: '1',
        answerTo: '_INBOX_gateway.x',
        ...(asker && { asker }),
      },
      house.policy,
    );
  const ask = (permit: string) =>
    house.bus.request(
      askPolicy,
      { permit, arguments: { site: 'site_1' }, publish: { what: 'all' } },
      { timeoutMs: 5_000 },
    );

  it('gets the answer for whoever calls it', async () => {
    const asker = { ...anAgent, id: 'agent:k' };
    expect((await ask(permitOf('check_readiness', { ...asker, mode: 'edits' }))).data).toMatchObject({
      decision: 'person',
      rule: 'edits/auto-publish',
    });
    expect((await ask(permitOf('get_publish_plan', { ...asker, mode: 'plan' }))).data).toMatchObject({
      decision: 'deny',
    });
  });

  it('and no other tool does', async () => {
    expect(await codeOf(ask(permitOf('get_page', { ...anAgent, id: 'agent:k' })))).toBe('permit_invalid');
    expect(await codeOf(ask(permitOf('check_readiness', undefined)))).toBe('permit_invalid');
    expect(await codeOf(ask(permitOf('check_readiness', anAgent)))).toBe('permit_invalid');
  });
});
