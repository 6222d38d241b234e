import { join } from 'node:path';
import { createFormTokens } from '@cloudhal/gateway/sites/form-tokens';
import { loadSecret } from '@cloudhal/shared/secrets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusal, writeArticle } from './bad-input/state.ts';
import { type Agent, agreeing, type Newsroom, openNewsroom } from './newsroom.ts';

let newsroom: Newsroom;
let agent: Agent;
let address: string;

beforeAll(async () => {
  newsroom = await openNewsroom({ replicas: { gateway: 2 } });
  const site = newsroom.site.id;
  const editor = await newsroom.hire({ person: agreeing });
  const { id, slug } = await writeArticle(editor, site, 'ferry', 'The ferry is back');
  const { rev } = (await editor.call('get_site', { site })).json.data as { rev: number };
  await editor.call('update_site', { site, rev, set: { comments: 'open' } });
  const what = { nodes: [site, id] };
  const plan = await editor.call('get_publish_plan', { site, what });
  const { expectDraft } = plan.json.data as { expectDraft: string };
  const published = await editor.call('publish', { site, what, expectDraft });
  expect(published.isError, published.text).toBe(false);
  address = `${newsroom.deployment.url}/sites/news/articles/${slug}`;
  agent = await newsroom.hire({ key: { mode: 'auto' } });
}, 120_000);
afterAll(() => newsroom?.stop(), 60_000);

const page = async () => (await fetch(address, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } })).text();

test('a comment is shown once a person has read and approved it in Studio', async () => {
  expect(await page()).toContain(`${new URL(address).pathname}/comments"`);
  const secret = loadSecret(join(newsroom.deployment.secrets, 'session-secret'));
  const form = createFormTokens(secret, () => Date.now() - 60_000).make(`${new URL(address).pathname}/comments`);
  const body = new URLSearchParams({ form, author: 'Mo', text: 'We <missed> it.', website: '' });
  const sent = await fetch(`${address}/comments`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'null' },
    body,
  });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${new URL(address).pathname}/comments/sent`]);
  expect(await page()).not.toContain('missed');

  const listed = await agent.call('list_comments', {});
  const [comment] = (listed.json.data as { comments: { id: string; rev: number }[] }).comments;
  const waiting = await agent.call('approve_comments', { items: [{ comment: comment!.id, rev: comment!.rev }] });
  expect(refusal(waiting)).toBe('approval_required');
  // The one who waits is told which comment it is, and the person what it says.
  expect(waiting.text).not.toMatch(/missed|confirmToken"/);
  const { approval } = waiting.json.details as { approval: string };
  const { body: shown } = await newsroom.owner.send(`/api/approvals/${approval}`);
  expect(JSON.stringify(shown)).toContain('We <missed> it.');
  const approved = await newsroom.owner.send(`/api/approvals/${approval}/approve`, { method: 'POST' });
  expect(approved, JSON.stringify(approved.body)).toMatchObject({ status: 200, body: { outcome: 'ran' } });
  expect(await page()).toContain('We &lt;missed&gt; it.');
});

test('what readers look at is counted, whichever gateway served it, and programs are not', async () => {
  for (let views = 0; views < 8; views++) await page();
  await fetch(address, { headers: { 'user-agent': 'curl/8.5.0' } });
  const views = async () => {
    const read = await agent.call('get_analytics', { range: '1d', metric: 'views', by: 'path' });
    expect(read.isError, read.text).toBe(false);
    return (read.json.data as { rows: { path: string; value: number }[] }).rows;
  };
  // Three of them by the test before this one.
  await expect.poll(views, { timeout: 30_000, interval: 1_000 }).toEqual([{ path: '/articles/ferry', value: 11 }]);
}, 60_000);
