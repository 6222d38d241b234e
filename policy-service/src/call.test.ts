import { randomUUID } from 'node:crypto';
import { call } from '@cloudhal/shared/contracts';
import { uuidv7 } from '@cloudhal/shared/ids';
import { argumentsHash, signPermit, signPrincipal } from '@cloudhal/shared/permit';
import { generateSigner } from '@cloudhal/shared/secrets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { taintedUntil } from './taint-store.ts';
import { aDeveloper, anAgent, aPerson } from './testing/facts.ts';
import { anAgentOfItsOwn as agent, codeOf, type House, openHouse } from './testing/house.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ replicas: 2 });
});
afterAll(() => house.stop());
afterEach(() => {
  house.rooms.assessment = {};
  house.rooms.behaviour = 'succeed';
});

describe('an allowed call', () => {
  it('goes on with a permit that is bound to all that was decided on', async () => {
    const principal = agent();
    const callId = uuidv7();
    const skill = 'write-article';
    const reply = await house.call('update_page', { site: 'main', title: 'x' }, { principal, callId, skill });
    expect(reply.kind).toBe('result');
    const permit = house.rooms.permits.at(-1);
    expect(permit).toMatchObject({
      callId,
      tool: 'update_page',
      argumentsHash: argumentsHash({ site: 'site_1', title: 'x' }),
      principal: { id: principal.id, kind: 'agent', keyId: principal.keyId, keyGeneration: 1, owner: 'u1' },
      site: 'site_1',
      scopes: ['content:read', 'content:write'],
      skill: { name: skill, digest: 'sha256:write-article' },
      mode: 'edits',
      rule: 'edits/edit',
      policyVersion: '1',
    });
    expect(permit?.answerTo.startsWith(house.bus.inboxPrefix)).toBe(true);
    expect(permit?.approval).toBeUndefined();
    expect(permit?.asker).toBeUndefined();
  });

  it('carries the state of the site that an assessment saw', async () => {
    house.rooms.assessment = { base: { revs: { page_1: 3 } } };
    await house.call('undo_change', { snapshot: 's' }, { principal: agent() });
    expect(house.rooms.permits.at(-1)?.base).toEqual({ revs: { page_1: 3 } });
  });

  it('runs small publishes of articles in mode auto, and asks for others', async () => {
    const principal = agent({ mode: 'auto' });
    expect((await house.call('publish', { what: 'a' }, { principal })).kind).toBe('result');
    house.rooms.assessment = { nodes: 6 };
    expect((await house.call('publish', { what: 'b' }, { principal })).kind).toBe('approval_required');
  });

  it('is a person’s, whatever their mode, as far as their role goes', async () => {
    expect((await house.call('delete_page', { page: 'p' }, { principal: { ...aPerson, mode: 'plan' } })).kind).toBe(
      'result',
    );
    const auditor = { ...aPerson, id: 'person:a', role: 'auditor' as const };
    expect(await codeOf(house.call('delete_page', { page: 'p' }, { principal: auditor }))).toBe('scope_missing');
  });
});

describe('who asks', () => {
  const raw = (principal: string) =>
    codeOf(
      house.bus.request(
        call,
        { callId: uuidv7(), principal, tool: 'list_sites', arguments: {}, canElicit: false },
        { timeoutMs: 5_000 },
      ),
    );

  it('must be signed by the gateway, for this service, and lately', async () => {
    expect(await raw(house.token(anAgent))).toBe('no error: result');
    expect(await raw('')).toBe('permit_invalid');
    expect(await raw(JSON.stringify(anAgent))).toBe('permit_invalid');
    expect(await raw(signPrincipal(anAgent, generateSigner().signer))).toBe('permit_invalid');
    const forged = generateSigner().signer;
    expect(await raw(signPrincipal(anAgent, { ...forged, kid: house.gateway.kid }))).toBe('permit_invalid');
    const unsigned = `${btoa('{"alg":"none","typ":"JWT"}')}.${house.token(anAgent).split('.')[1]}.`;
    expect(await raw(unsigned.replaceAll('=', ''))).toBe('permit_invalid');
    const otherAudience = signPermit(anAgent as never, house.gateway);
    expect(await raw(otherAudience)).toBe('permit_invalid');
    const [header, payload, signature] = house.token(anAgent).split('.');
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
    claims.claims.mode = 'bypass';
    const changed = Buffer.from(JSON.stringify(claims)).toString('base64url');
    expect(await raw(`${header}.${changed}.${signature}`)).toBe('permit_invalid');
  });

  it('is nobody once the key is revoked, or was changed since it was signed', async () => {
    const revoked = agent();
    await house.keyValue.set(`revoked:${revoked.keyId}`, '1');
    expect(await codeOf(house.call('list_sites', {}, { principal: revoked }))).toBe('unauthorized');
    const changed = agent({ keyGeneration: 9 });
    await house.keyValue.set(`key-generation:${changed.keyId}`, '10');
    expect(await codeOf(house.call('list_sites', {}, { principal: changed }))).toBe('unauthorized');
    const renewed = { ...changed, keyGeneration: 10 };
    expect((await house.call('list_sites', {}, { principal: renewed })).kind).toBe('result');
    await house.keyValue.set(`key-generation:${changed.keyId}`, 'not a number');
    expect(await codeOf(house.call('list_sites', {}, { principal: renewed }))).toBe('unauthorized');
  });
});

describe('the arguments', () => {
  it('are coerced where nothing is lost, then hashed and run in that form', async () => {
    await house.call('get_page', { page: 'p', limit: '5' });
    const permit = house.rooms.permits.at(-1);
    expect(permit?.argumentsHash).toBe(argumentsHash({ site: 'site_1', page: 'p', limit: 5 }));
    expect(await codeOf(house.call('get_page', { limit: '5.0' }))).toBe('validation_failed');
    expect(await codeOf(house.call('get_page', { unheard: 1 }))).toBe('validation_failed');
  });

  it.each(['__proto__', 'constructor'])('do not take %s', async (name) => {
    const args = JSON.parse(`{"${name}": {"scopes": ["*"]}}`);
    expect(await codeOf(house.call('get_page', args))).toBe('validation_failed');
  });

  it('name the site by id or slug, or not at all where there is only one', async () => {
    const house = await openHouse();
    house.rooms.sites = [
      { id: 'site_1', slug: 'main', title: 'Main' },
      { id: 'site_2', slug: 'second', title: 'Second' },
    ];
    const both = { principal: agent() };
    const one = { principal: agent({ sites: ['site_2'] }) };
    expect((await house.call('get_page', { site: 'second' }, both)).kind).toBe('result');
    expect(house.rooms.permits.at(-1)?.site).toBe('site_2');
    expect((await house.call('get_page', { site: 'site_1' }, both)).kind).toBe('result');
    expect(house.rooms.permits.at(-1)?.site).toBe('site_1');
    expect(await codeOf(house.call('get_page', {}, both))).toBe('validation_failed');
    expect((await house.call('get_page', {}, one)).kind).toBe('result');
    expect(house.rooms.permits.at(-1)?.site).toBe('site_2');
    expect(await codeOf(house.call('get_page', { site: 'main' }, one))).toBe('not_found');
    expect(await codeOf(house.call('get_page', { site: 'site_1' }, one))).toBe('not_found');
    expect(await codeOf(house.call('get_page', { site: 5 }, one))).toBe('validation_failed');
    expect((await house.call('get_mode', {}, both)).kind).toBe('result');
    expect((await house.call('list_sites', {}, both)).kind).toBe('result');
    // One that was just made is there at once.
    house.rooms.sites = [...house.rooms.sites, { id: 'site_3', slug: 'third', title: 'Third' }];
    expect(await codeOf(house.call('get_page', { site: 'third' }, both))).toBe('no error: result');
    house.rooms.sites = [...house.rooms.sites, { id: 'site_4', slug: 'fourth', title: 'Fourth' }];
    const fourth = { principal: agent({ sites: ['site_4'] }) };
    expect(await codeOf(house.call('get_page', {}, fourth))).toBe('no error: result');
    await house.stop();
  });

  it('may hold the idempotency key, which must not be said twice differently', async () => {
    const principal = agent();
    await house.call('create_page', { title: 'x', requestId: 'r1' }, { principal });
    expect(house.rooms.permits.at(-1)?.idempotencyKey).toBe('r1');
    await house.call('create_page', { title: 'y' }, { principal, idempotencyKey: 'r2' });
    expect(house.rooms.permits.at(-1)?.idempotencyKey).toBe('r2');
    const twice = house.call('create_page', { title: 'z', requestId: 'r1' }, { principal, idempotencyKey: 'r2' });
    expect(await codeOf(twice)).toBe('validation_failed');
  });

  it('do not count the confirm token, which must not be said twice differently', async () => {
    const principal = agent();
    const args = { page: 'p' };
    const { confirmToken } = await house.question('delete_page', args, { principal, canElicit: false });
    const both = house.call('delete_page', { ...args, confirmToken }, { principal, confirmToken: 'another' });
    expect(await codeOf(both)).toBe('validation_failed');
    expect(await codeOf(house.call('delete_page', { ...args, confirmToken: 7 }, { principal }))).toBe(
      'validation_failed',
    );
    expect(await codeOf(house.call('get_page', { confirmToken }, { principal }))).toBe('validation_failed');
    const done = await house.call('delete_page', { ...args, confirmToken }, { principal, confirmToken });
    expect(done.kind).toBe('result');
    expect(house.rooms.permits.at(-1)?.argumentsHash).toBe(argumentsHash({ site: 'site_1', page: 'p' }));
  });
});

describe('scopes and skills', () => {
  it('a tool that there is not, and one that is out of reach', async () => {
    expect(await codeOf(house.call('drop_all', {}))).toBe('unknown_tool');
    expect(await codeOf(house.call('__proto__', {}))).toBe('unknown_tool');
    expect(await codeOf(house.call('update_page', {}, { principal: agent({ scopes: ['content:read'] }) }))).toBe(
      'scope_missing',
    );
  });

  it('a skill narrows, and the one that claims more than the key has gives nothing', async () => {
    house.rooms.skills.set('publisher', ['publish', 'content:delete']);
    const principal = agent({ scopes: ['content:write'] });
    expect(await codeOf(house.call('update_page', {}, { principal, skill: 'publisher' }))).toBe('skill_scope');
    expect(await codeOf(house.call('delete_page', {}, { principal, skill: 'publisher' }))).toBe('scope_missing');
    expect((await house.call('update_page', {}, { principal, skill: 'write-article' })).kind).toBe('result');
  });

  it.each([
    ['an array', ['write-article']],
    ['an object', { name: 'write-article' }],
    ['null', null],
    ['a number', 1],
    ['nothing', ''],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['a path', '../write-article'],
    ['an unknown name', 'no-such-skill'],
  ])('%s as a skill is refused, never ignored', async (_, skill) => {
    expect(await codeOf(house.call('list_sites', {}, { skill }))).toBe('skill_unknown');
  });
});

describe('a character that is cut in half', () => {
  it('keeps no refusal out of the record', async () => {
    const principal = agent({ mode: 'plan' });
    const client = { name: `${'x'.repeat(79)}\ud83d` };
    expect(await codeOf(house.call('delete_page', { page: 'p' }, { principal, client }))).toBe('mode_forbids');
    const lines = (await house.record('decision')).filter(({ actor }) => actor.id === principal.id);
    expect(lines).toHaveLength(1);
  });

  it.each([
    ['a site', 'get_page', { site: `${'a'.repeat(95)}😀` }, {}, 'not_found'],
    ['a tool', `${'a'.repeat(63)}😀`, {}, {}, 'unknown_tool'],
    ['a skill', 'get_page', {}, { skill: `${'a'.repeat(63)}😀` }, 'skill_unknown'],
  ])('is not made of the name of %s', async (_, tool, args, more, code) => {
    expect(await codeOf(house.call(tool, args, { principal: agent(), ...more }))).toBe(code);
  });
});

describe('text from strangers', () => {
  it('taints the key before the call goes on: publishing, deleting and fetching then need a person', async () => {
    const principal = agent({ mode: 'auto' });
    expect((await house.call('publish', { what: 'x' }, { principal })).kind).toBe('result');
    await house.call('list_comments', {}, { principal });
    expect(await taintedUntil(house.database, principal)).toBeDefined();
    expect((await house.call('publish', { what: 'x' }, { principal })).kind).toBe('approval_required');
    const fetch = await house.question('fetch_asset_url', { url: 'https://x.example/?d=secret' }, { principal });
    expect(fetch.reason).toMatch(/strangers/);
    expect((await house.call('update_page', { title: 'x' }, { principal })).kind).toBe('result');
    const local = { ...aDeveloper, id: `local-${randomUUID()}`, mode: 'bypass' as const };
    expect((await house.call('delete_page', { page: 'x' }, { principal: local })).kind).toBe('result');
    await house.call('list_comments', {}, { principal: local });
    expect((await house.call('delete_page', { page: 'x' }, { principal: local })).kind).toBe('approval_required');
  });

  it('gets no confirm token, and one from before does not count', async () => {
    const principal = agent();
    const asking = { principal, canElicit: false };
    const { confirmToken } = await house.question('delete_page', { page: 'x' }, asking);
    await house.call('list_comments', {}, { principal });
    const again = await house.question('delete_page', { page: 'x', confirmToken }, asking);
    expect(again.confirmToken).toBeUndefined();
    // A person who is asked may still answer.
    const answer = { state: again.requestState, action: 'accept', confirm: true } as const;
    expect((await house.call('delete_page', { page: 'x' }, { principal, answer })).kind).toBe('result');
  });

  it('taints the key also where the small shared state is lost in the meantime', async () => {
    const principal = agent({ mode: 'auto' });
    await house.call('list_comments', {}, { principal });
    await house.database.query('TRUNCATE shared.key_value');
    expect((await house.call('publish', { what: 'x' }, { principal })).kind).toBe('approval_required');
  });

  it('does not go on where the taint cannot be stored', async () => {
    const principal = agent();
    const arrived = house.rooms.permits.length;
    await house.database.query('REVOKE INSERT ON policy.taint FROM cloudhal_policy');
    try {
      expect(await codeOf(house.call('list_comments', {}, { principal }))).toBe('policy_unavailable');
    } finally {
      await house.database.query('GRANT INSERT ON policy.taint TO cloudhal_policy');
    }
    expect(house.rooms.permits.length).toBe(arrived);
  });
});

describe('the record', () => {
  it('has each refusal, once for each call, with what it was refused for', async () => {
    const principal = agent({ mode: 'plan' });
    const callId = uuidv7();
    const refused = () =>
      codeOf(house.call('update_page', { title: 'x' }, { principal, callId, skill: 'write-article' }));
    expect(await Promise.all([refused(), refused(), refused()])).toEqual(Array(3).fill('mode_forbids'));
    const lines = (await house.record('decision')).filter((event) => event.call_id === callId);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      site: 'site_1',
      actor: { type: 'agent', id: principal.id, key_id: principal.keyId, on_behalf_of: 'u1' },
      tool: 'update_page',
      mode: 'plan',
      skill: { name: 'write-article' },
      decision: { result: 'deny', rule: 'plan/edit', policy_version: '1' },
      outcome: { state: 'denied', code: 'mode_forbids' },
      args_hash: argumentsHash({ site: 'site_1', title: 'x' }),
    });
    // The same call later, with more rights: it was refused, and so it stays.
    expect(
      await codeOf(house.call('update_page', { title: 'x' }, { principal: { ...principal, mode: 'edits' }, callId })),
    ).toBe('mode_forbids');
  });

  it('has calls that are wrong in themselves', async () => {
    const callId = uuidv7();
    await codeOf(house.call('drop_all', {}, { callId }));
    const [line] = (await house.record('decision')).filter((event) => event.call_id === callId);
    expect(line).toMatchObject({ tool: 'drop_all', site: '_deployment', outcome: { code: 'unknown_tool' } });
  });

  it('must take a refusal before it is answered', async () => {
    await house.database.query('ALTER TABLE policy.outbox RENAME TO away');
    try {
      expect(await codeOf(house.call('drop_all', {}))).toBe('audit_unavailable');
    } finally {
      await house.database.query('ALTER TABLE policy.away RENAME TO outbox');
    }
  });
});

describe('a part that is away', () => {
  it('the tools: assessments and runs are refused as such', async () => {
    const cut = await openHouse();
    try {
      await cut.call('list_sites', {});
      await cut.rooms.cut('tools');
      expect(await codeOf(cut.call('publish', { what: 'x' }))).toBe('tool_unavailable');
      expect(await codeOf(cut.call('update_page', { title: 'x' }))).toBe('tool_unavailable');
    } finally {
      await cut.stop();
    }
  });

  it('the skills: what was read a moment ago still narrows, and nothing runs un-narrowed', async () => {
    const cut = await openHouse();
    try {
      await cut.call('list_sites', {}, { principal: anAgent });
      await codeOf(cut.call('update_page', { title: 'x' }, { skill: 'write-article' }));
      await cut.rooms.cut('skills');
      expect((await cut.call('update_page', { title: 'x' }, { skill: 'write-article' })).kind).toBe('result');
      expect(await codeOf(cut.call('delete_page', { page: 'x' }, { skill: 'write-article' }))).toBe('skill_scope');
      expect(await codeOf(cut.call('list_sites', {}, { skill: 'unread' }))).toBe('skill_unavailable');
    } finally {
      await cut.stop();
    }
  });

  it('the store: nothing that depends on it is allowed', async () => {
    const cut = await openHouse();
    try {
      await cut.call('update_page', { title: 'x' });
      const arrived = cut.rooms.permits.length;
      await cut.deps.database.close();
      for (const tool of ['update_page', 'publish', 'delete_page', 'list_comments']) {
        expect(await codeOf(cut.call(tool, {}))).toMatch(/^(storage|policy|audit)_unavailable$/);
      }
      expect(cut.rooms.permits.length).toBe(arrived);
    } finally {
      await cut.stop();
    }
  });

  it('time: a decision that takes too long is none', async () => {
    const slow = await openHouse({ settings: { decideWithinMs: 300 } });
    try {
      await slow.call('list_sites', {});
      slow.rooms.assessMs = 600;
      const arrived = slow.rooms.permits.length;
      expect(await codeOf(slow.call('publish', { what: 'x' }))).toMatch(/^(tool|policy)_unavailable$/);
      expect(slow.rooms.permits.length).toBe(arrived);
      expect(await slow.approvals()).toEqual([]);
    } finally {
      await slow.stop();
    }
  });
});
