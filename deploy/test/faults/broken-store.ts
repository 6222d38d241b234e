import { answer, modern, post } from '@cloudhal/gateway/mcp/testing/raw';
import { send } from '@cloudhal/gateway/testing/send';
import { type ErrorBody, errorTable } from '@cloudhal/shared/errors';
import { beforeAll, describe, expect, test } from 'vitest';
import { saysNothingOfTheInside } from '../inside.ts';
import { type Agent, agreeing, type Newsroom } from '../newsroom.ts';

type Answer = { what: string; status: number; text: string };

/** Any of these being away is a fault that no code was written for. */
const tables = [
  ...['session', '"user"', 'member', 'agent_key', 'outbox', 'invitation'].map((name) => `gateway.${name}`),
  ...['outbox', 'approval', 'decision', 'site_rules', 'elevation', 'taint'].map((name) => `policy.${name}`),
  ...['site', 'ver', 'body', 'snap', 'edge', 'search', 'calls', 'outbox', 'comment'].map((name) => `tools.${name}`),
  ...['audit.event', 'audit.head', 'media.object'],
];

/** Whoever asks while something inside is broken hears a code, and nothing of what is inside (T38). */
export function brokenStore(newsroom: () => Newsroom): void {
  let agent: Agent;
  beforeAll(async () => {
    agent = await newsroom().hire({ person: agreeing });
  });

  async function call(tool: string, args: object): Promise<Answer> {
    const { url } = newsroom().deployment;
    const { body, headers } = modern('tools/call', { name: tool, arguments: { site: newsroom().site.id, ...args } });
    const message = await answer(post(`${url}/mcp`, body, { as: agent.secret, headers }));
    const failed = message.error !== undefined || message.result?.isError === true;
    return { what: tool, status: failed ? 500 : 200, text: JSON.stringify(message) };
  }

  async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const { status, text } = await send(newsroom().deployment.url + path, { headers });
    return { what: path, status, text };
  }

  async function change(path: string, body: object): Promise<Answer> {
    const { url } = newsroom().deployment;
    const { cookie } = newsroom().owner;
    const headers = { cookie, origin: new URL(url).origin, 'content-type': 'application/json' };
    const { status, text } = await send(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { what: path, status, text };
  }

  /** Every sort of asking, by everybody who may ask. */
  function askEverywhere(title: string): Promise<Answer[]> {
    const { site, owner } = newsroom();
    const session = { cookie: owner.cookie };
    return Promise.all([
      call('list_entries', { type: 'article' }),
      call('search_site', { query: 'anything' }),
      call('list_comments', {}),
      call('list_activity', {}),
      call('get_mode', {}),
      call('list_assets', {}),
      call('create_entry', { type: 'article', fields: { title } }),
      get('/api/session', session),
      get('/api/approvals', session),
      get('/api/sites', session),
      get('/api/people', session),
      get('/api/agent-keys', session),
      get(`/api/activity?site=${site.id}`, session),
      change('/api/tools/list_pages', { arguments: { site: site.id } }),
      change('/api/auth/sign-in/email', { email: owner.email, password: 'not the password' }),
      change('/api/join/invitation', { token: 'x'.repeat(43) }),
      get(`/sites/${site.slug}/`, { accept: 'text/html' }),
      get(`/sites/${site.slug}/feed.xml`),
      get('/media/nothing.png'),
      get('/preview/nothing', { accept: 'text/html' }),
    ]);
  }

  test('asked while nothing is broken, what should work does', async () => {
    const answers = await askEverywhere('While nothing is broken');
    const failed = answers.filter(({ status }) => status >= 500).map(({ what, text }) => `${what} ${text}`);
    expect(failed).toEqual([]);
  });

  describe('every answer has a code, and shows nothing of the inside', () => {
    test.each(tables)('without the table %s', async (table) => {
      const { database } = newsroom();
      const [schema, name] = table.split('.') as [string, string];
      await database.query(`ALTER TABLE ${table} RENAME TO away`);
      let answers: Answer[];
      try {
        answers = await askEverywhere(`Without ${table}`);
      } finally {
        await database.query(`ALTER TABLE ${schema}.away RENAME TO ${name}`);
      }
      for (const { what, status, text } of answers) {
        expect(status, what).toBeGreaterThan(0);
        if (status >= 400) saysNothingOfTheInside(text);
        if (status >= 500 && text.startsWith('{'))
          expect(Object.keys(errorTable), `${what} ${text}`).toContain(codeIn(text));
      }
    });
  });
}

/** The code of an error, in whichever form it came. */
function codeIn(text: string): string | undefined {
  const told = JSON.parse(text) as Partial<ErrorBody> & {
    error?: { data?: ErrorBody };
    result?: { content?: { text: string }[] };
  };
  const content = told.result?.content?.[0]?.text;
  return told.code ?? told.error?.data?.code ?? (content && (JSON.parse(content) as ErrorBody).code);
}
