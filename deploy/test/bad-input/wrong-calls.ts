import { eras, type TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { beforeAll, describe, expect, test } from 'vitest';
import { verdictOfRefusal } from '../ledger.ts';
import type { Agent, Newsroom } from '../newsroom.ts';
import { type Article, changingNothing, refusal, writeArticle } from './state.ts';

type Args = Record<string, unknown>;
type Wrong = [what: string, tool: string, args: (article: Article) => Args, code: string];

const wrong: Wrong[] = [
  ['a tool that there is not', 'drop_site', () => ({}), 'unknown_tool'],
  ['a tool with the name of a member of all objects', 'constructor', () => ({}), 'unknown_tool'],
  ['an argument that there is not', 'list_entries', () => ({ type: 'article', everything: true }), 'validation_failed'],
  ['no rev', 'update_entry', ({ id }) => ({ entry: id, set: { title: 'New' } }), 'validation_failed'],
  [
    'a stale rev',
    'update_entry',
    ({ id, rev }) => ({ entry: id, rev: rev + 1, set: { title: 'New' } }),
    'rev_conflict',
  ],
  [
    'a rev in words',
    'update_entry',
    ({ id }) => ({ entry: id, rev: 'one', set: { title: 'New' } }),
    'validation_failed',
  ],
  ['a title that is a number', 'create_entry', () => ({ type: 'article', fields: { title: 7 } }), 'validation_failed'],
  [
    'a field that the type has not',
    'create_entry',
    () => ({ type: 'article', fields: { title: 'A', admin: true } }),
    'validation_failed',
  ],
  ['a list where one value is asked', 'get_entry', ({ id }) => ({ entry: [id] }), 'validation_failed'],
  ['an entry that there is not', 'get_entry', () => ({ entry: 'en_nothing' }), 'not_found'],
  ['a site that there is not', 'list_pages', () => ({ site: 'nowhere' }), 'not_found'],
  ['a type that there is not', 'create_entry', () => ({ type: 'novel', fields: { title: 'A' } }), 'validation_failed'],
  ['a broken cursor', 'list_entries', () => ({ type: 'article', cursor: 'x'.repeat(100) }), 'validation_failed'],
  ['a snapshot of nothing', 'diff_snapshots', () => ({ a: 'sn_nothing', b: 'draft' }), 'not_found'],
  ...['admin', 'mcp', 'api', 'studio'].map(
    (slug): Wrong => [
      `the address "/${slug}", which is ours`,
      'create_page',
      () => ({ slug, title: 'A' }),
      'validation_failed',
    ],
  ),
  ...['../secret', 'a/b', '..%2fadmin', 'ádmin', 'a\u202eb', 'a\u200bb', 'ＡＢＣ', '-a', 'a'.repeat(200)].map(
    (slug): Wrong => [
      `the slug ${JSON.stringify(slug).slice(0, 30)}`,
      'create_entry',
      () => ({ type: 'article', slug, fields: { title: 'A' } }),
      'validation_failed',
    ],
  ),
];

const odd: [string, unknown][] = [
  ['nobody wrote', 'invent-things'],
  ['is a path', '../publish-changes'],
  ['is an address', 'skill://publish-changes/SKILL.md'],
  ['is __proto__', '__proto__'],
  ['is a number', 7],
  ['is a list', ['publish-changes']],
  ['is an object', { name: 'publish-changes', scopes: ['publish'] }],
  ['is empty', ''],
];

/** Calls as a confused or hostile agent makes them. */
export function wrongCalls(newsroom: () => Newsroom): void {
  describe('a call is refused with a code, and changes nothing, when it has', () => {
    const clients: TestClient[] = [];
    let article: Article;
    beforeAll(async () => {
      const { hire, connectAs, site } = newsroom();
      const agent = await hire({ key: { sites: [site.id] } });
      clients.push(...(await Promise.all(eras.map((era) => connectAs(agent, { era })))));
      article = await writeArticle(agent, site.id, 'wrong-calls');
    });

    test.each(wrong)('%s', async (_, tool, args, code) => {
      await changingNothing(newsroom().database, async () => {
        for (const client of clients) {
          const called = await client.call(tool, args(article));
          expect(refusal(called), called.text).toBe(code);
        }
      });
    });

    test('a missing rev is named, with what returns it', async () => {
      const { json } = await clients[0]!.call('update_entry', { entry: article.id, set: { title: 'New' } });
      expect(json.message).toMatch(/rev/);
      expect(JSON.stringify(json)).toMatch(/get_entry/);
    });

    test.each(odd)('a skill that %s', async (_, skill) => {
      await changingNothing(newsroom().database, async () => {
        for (const tool of ['list_entries', 'create_entry']) {
          const args = { type: 'article', ...(tool === 'create_entry' && { fields: { title: 'A' } }) };
          const called = await clients[0]!.call(tool, args, { meta: { 'cloudhal.skill': skill } });
          expect(refusal(called)).toBe('skill_unknown');
        }
      });
    });
  });

  describe('a skill narrows what a key may do, and never widens it (T20)', () => {
    let reader: Agent;
    let writer: Agent;
    const article = { type: 'article', fields: { title: 'Under a skill' } };
    beforeAll(async () => {
      const { hire, site } = newsroom();
      reader = await hire({ key: { sites: [site.id], scopes: ['site:read', 'content:read'] } });
      writer = await hire({ key: { sites: [site.id] } });
    });

    test('wider than the key: what the key has not stays refused', async () => {
      await changingNothing(newsroom().database, async () => {
        const called = await reader.call('create_entry', article, { meta: { 'cloudhal.skill': 'write-article' } });
        expect(refusal(called)).toBe('scope_missing');
      });
      const read = await reader.call(
        'list_entries',
        { type: 'article' },
        { meta: { 'cloudhal.skill': 'write-article' } },
      );
      expect(read.isError, read.text).toBe(false);
    });

    test('narrower than the key: what the skill has not is refused', async () => {
      await changingNothing(newsroom().database, async () => {
        const called = await writer.call('create_entry', article, { meta: { 'cloudhal.skill': 'triage-comments' } });
        expect(refusal(called)).toBe('skill_scope');
      });
    });

    test.each(['../../package.json', '/etc/passwd', '..%2f..%2fpackage.json', 'SKILL.md/../../x'])(
      'no file outside of it is read by the path %j (T21)',
      async (path) => {
        const called = await writer.call('get_skill', { name: 'write-article', path });
        expect(['not_found', 'validation_failed']).toContain(refusal(called));
        const uri = `skill://write-article/${path}`;
        const read = await writer.sdk.readResource({ uri }).then(JSON.stringify, String);
        expect(read).not.toMatch(/"contents":\[\{[^}]*"text"|root:|workspaces/);
      },
    );
  });

  test('a path with a zero byte does not get as far as to a file (T21)', async () => {
    const { hire } = newsroom();
    const agent = await hire();
    const called = agent.call('get_skill', { name: 'write-article', path: 'SKILL.md\u0000.txt' });
    expect(await called.catch(verdictOfRefusal)).toMatchObject({ code: 'invalid_unicode' });
  });

  test('answers of many keys at once never cross (T30)', async () => {
    const { hire } = newsroom();
    const agents = await Promise.all(Array.from({ length: 10 }, (_, n) => hire({ era: eras[n % eras.length]! })));
    const asked = agents.flatMap((agent, n) =>
      Array.from({ length: 10 }, (_, i) => ({ agent, nonce: `nonce-${n}-${i}` })),
    );
    const answers = await Promise.all(
      asked.map(({ agent, nonce }) => agent.call('get_entry', { site: 'news', entry: nonce })),
    );
    for (const [i, { nonce }] of asked.entries()) {
      expect(answers[i]!.json.code).toBe('not_found');
      expect(answers[i]!.text.match(/nonce-\d+-\d+/g)).toContain(nonce);
      expect(new Set(answers[i]!.text.match(/nonce-\d+-\d+/g)).size).toBe(1);
    }
  });
}
