import { createSite, setSiteRules, siteRules } from '@cloudhal/shared/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../testing/mcp.ts';
import { type Browser, type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let replica: Replica;
const asked: unknown[] = [];
const rules = {
  smallPublishNodes: 5,
  personAttested: 'off' as const,
  confirmTokenFallback: true,
  taintMinutes: 30,
  fourEyes: false,
};

beforeAll(async () => {
  world = await startWorld('postgres');
  replica = await world.replica();
  await replica.bus.answer(createSite, async (query) => {
    asked.push(query);
    return { id: 'st_1', slug: query.site.slug, title: query.site.title };
  });
  await replica.bus.answer(siteRules, async () => rules);
  await replica.bus.answer(setSiteRules, async ({ rules: change }) => {
    asked.push(change);
    return { ...rules, ...change, publishingWindow: undefined };
  });
});
afterAll(() => world.stop());

const wish = { slug: 'seals', title: 'Seals', locales: ['en', 'de'] };
const patch = (person: Browser, json: object) => person.send('/api/site-rules/st_1', { method: 'PATCH', json });

describe('a site', () => {
  it('is made by an owner, who is named', async () => {
    const owner = await world.person(replica, 'owner');
    const made = await owner.send('/api/sites', { json: wish });
    expect([made.status, made.json]).toEqual([201, { site: { id: 'st_1', slug: 'seals', title: 'Seals' } }]);
    expect(asked.at(-1)).toEqual({
      site: wish,
      actor: { id: `person:${owner.memberId}`, name: 'The owner' },
    });
    expect(codeOf(await owner.send('/api/sites', { json: { ...wish, restoredAs: 'st_2' } }))).toBe('validation_failed');
  });

  it.each(['editor', 'reviewer', 'auditor'] as const)('is not made by one who is %s', async (role) => {
    const person = await world.person(replica, role);
    const before = asked.length;
    expect(codeOf(await person.send('/api/sites', { json: wish }))).toBe('forbidden');
    expect(asked.length).toBe(before);
  });

  it('and its rules are nothing for who is not signed in', async () => {
    for (const path of ['/api/sites', '/api/site-rules/st_1']) {
      expect((await replica.send(path)).status).toBe(401);
    }
    const headers = { origin: replica.url, 'content-type': 'application/json' };
    for (const [path, method] of [
      ['/api/sites', 'POST'],
      ['/api/site-rules/st_1', 'PATCH'],
    ] as const) {
      expect((await replica.send(path, { method, headers, body: '{}' })).status).toBe(401);
    }
  });
});

describe('the rules of a site', () => {
  it('are changed by who signed in a short while ago: they say what agents may do without a person', async () => {
    const owner = await world.person(replica, 'owner');
    expect((await patch(owner, { fourEyes: true })).status).toBe(200);
    await world.owner.query(`UPDATE gateway."session" SET "authenticatedAt" = now() - interval '11 minutes'`);
    const before = asked.length;
    expect(codeOf(await patch(owner, { fourEyes: false }))).toBe('reauthentication_required');
    expect((await owner.send('/api/site-rules/st_1')).status).toBe(200);
    expect(asked.length).toBe(before);
  });
});
