import { type TestClient, wrap } from '@cloudhal/gateway/mcp/testing/clients';
import { type Database, openDatabase } from '@cloudhal/shared/database';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Deployment, startDeployment } from '../deployment.ts';
import { firstOwnerLink } from '../people.ts';
import { graphIsConsistent, recordIsComplete } from '../record.ts';
import { worked } from '../story.ts';
import { openBrowser } from './browser.ts';
import { picture } from './check-page.ts';
import { type Connection, inAnyClient, inClaudeCode, inCursor, paste, shownSetup } from './setup-page.ts';
import { openPage } from './stage.ts';

/** From the one-time link to a site that was taken back: one owner with a phone, one agent, five services and two gateways. */
let deployment: Deployment;
let database: Database;
let browser: Browser;
beforeAll(async () => {
  [deployment, browser] = await Promise.all([startDeployment({ replicas: { gateway: 2 } }), openBrowser()]);
  database = openDatabase({ url: deployment.databaseUrl, name: 'test' });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await database?.close();
  await deployment?.stop();
}, 60_000);

const body = [
  'Every winter the grey seals come back to the same beach.',
  'They stay for about three weeks.',
  'Visitors keep a distance of fifty metres.',
].join('\n\n');

it('is one story in Studio: an agent is connected, asks, is told, is trusted for a while, and is ended', async () => {
  const link = await firstOwnerLink(deployment.url, deployment.deploymentToken);
  const { page, faults } = await openPage(browser, link, { width: 'phone' });
  await makeAccount(page);
  // It is gone with the first reload: all that follows happens on this one page.
  await page.evaluate('globalThis.story = "not reloaded"');
  await makeSite(page);
  const connection = await connectAgent(page);
  const agent = wrap(await paste(connection), '2025-11-25');
  expect(await agent.list()).toEqual(expect.arrayContaining(['create_entry', 'publish', 'request_elevation']));
  const site = (worked(await agent.call('list_sites')).data.sites as { id: string }[])[0]!.id;

  // It writes an article, and may not publish it by itself. The page that waits hears of it.
  await go(page, 'Approvals');
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  const made = worked(
    await agent.call('create_entry', { site, type: 'article', slug: 'seals', fields: { title: 'Seals' }, body }),
  );
  const { id: entry } = made.data as { id: string };
  const first = await askToPublish(agent, site, entry);
  expect(await readers()).toMatchObject({ status: 404 });
  await openRequest(page);
  await approve(page);
  worked(await first.again());
  const asFirstPublished = await readers();
  expect(asFirstPublished.text).toContain('about three weeks');

  // A change of what readers see is shown as what it is.
  const rev = await edit(agent, site, entry, made.rev, 'three weeks', 'five weeks');
  await go(page, 'Approvals');
  const second = await askToPublish(agent, site, entry);
  await openRequest(page);
  const text = page.getByRole('group', { name: 'Changes of the text' });
  expect(await text.locator('del').allTextContents()).toEqual(['three']);
  expect(await text.locator('ins').allTextContents()).toEqual(['five']);
  await page.getByText('Lines', { exact: true }).click();
  expect(await text.locator('del').allTextContents()).toEqual(['They stay for about three weeks.']);
  expect(await text.locator('ins').allTextContents()).toEqual(['They stay for about five weeks.']);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.frameLocator('iframe').getByText('They stay for about five weeks.').waitFor();
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('');
  await picture(page, 'story-preview');
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await readers()).toEqual(asFirstPublished);
  const shown = await approve(page);
  expect((await readers()).text).toContain('five weeks');
  // The agent gets what came of it: when it calls again, and as often as it says which request it means.
  const snapshots = await countSnapshots();
  const [once, twice] = [worked(await second.again()), worked(await second.again(second.confirmToken))];
  expect(shown).toContain(once.snapshot);
  expect(twice).toEqual(once);
  expect(await countSnapshots()).toBe(snapshots);

  // A person who says no says why.
  const wrongRev = await edit(agent, site, entry, rev, 'fifty metres', 'five metres');
  await go(page, 'Approvals');
  const third = await askToPublish(agent, site, entry);
  await openRequest(page);
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel(/Reason for the agent/).fill('Five is too near: ask the warden.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected. Nothing was changed').waitFor();
  const told = await third.again();
  expect(told.json).toMatchObject({ code: 'approval_rejected', message: expect.stringContaining('ask the warden') });
  expect((await readers()).text).toContain('fifty metres');

  // More autonomy, for less time than it asked: it publishes by itself, and then no longer.
  await go(page, 'Approvals');
  await page.getByRole('link', { name: 'More autonomy' }).click();
  const reason = 'The warden gave me the distances.';
  worked(await agent.call('request_elevation', { site, mode: 'auto', minutes: 60, reason }));
  const card = page.getByRole('listitem').filter({ hasText: reason });
  await card.getByText('asks for Auto for 1 hour').waitFor();
  await navigation(page)
    .getByRole('link', { name: /1 waiting/ })
    .waitFor();
  const cut =
    '[...document.querySelectorAll("nav a > span")].filter((label) => label.scrollWidth > label.clientWidth).length';
  expect(await page.evaluate(cut), 'labels of the navigation that do not fit').toBe(0);
  await card.getByRole('button', { name: 'Grant…' }).click();
  // In Edits it works already.
  await page.getByRole('button', { name: /Mode/ }).click();
  expect(await page.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /For how long/ }).click();
  await page.getByRole('option', { name: '5 minutes', exact: true }).click();
  await picture(page, 'story-grant');
  await page.getByRole('button', { name: 'Grant', exact: true }).click();
  await card.getByText('5 minutes left').waitFor();
  const rightRev = await edit(agent, site, entry, wrongRev, 'five metres', 'one hundred metres');
  worked(await askToPublish(agent, site, entry));
  expect((await readers()).text).toContain('one hundred metres');
  // As if the five minutes had passed; nobody ends it.
  await database.query('UPDATE policy.elevation SET ends_at = clock_timestamp()');
  await edit(agent, site, entry, rightRev, 'Every winter', 'Each winter');
  const held = await askToPublish(agent, site, entry);
  expect(held.json.code).toBe('approval_required');
  await card.waitFor({ state: 'detached' });

  // Its key is revoked while a request of it waits: neither works any more.
  await go(page, 'Agents');
  await page.getByRole('link', { name: /Newsroom/ }).click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Revoked', { exact: true }).first().waitFor();
  for (const gateway of deployment.gatewayUrls) {
    await expect.poll(() => refusal(gateway, connection)).toEqual([401, 'unauthorized']);
  }
  await expect(agent.call('list_sites')).rejects.toThrow('No valid agent key was sent');
  await go(page, 'Approvals');
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();

  // The site goes back to what was published first, to the byte.
  await go(page, 'Sites');
  await page.getByRole('link', { name: 'The Harbour Letter' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  const timeline = page.getByRole('list', { name: 'Snapshots, newest first' }).getByRole('listitem');
  const published = timeline.filter({ has: page.getByRole('heading', { name: 'Published' }) });
  await published.nth(2).waitFor();
  await published.last().getByRole('button', { name: 'Back to here…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Go back to this state' });
  await dialog.locator('ins').filter({ hasText: 'fifty' }).waitFor();
  expect(await dialog.locator('del').allTextContents()).toEqual(['five', 'one hundred']);
  await dialog.getByLabel('Why (kept in the history)').fill('The warden counts again.');
  await picture(page, 'story-rollback');
  await dialog.getByRole('button', { name: 'Go back to it' }).click();
  await page.getByText('Done: 1 change.').waitFor();
  expect(await readers()).toEqual(asFirstPublished);

  // All of it stands in the record, which is whole.
  await recordIsComplete(database);
  await go(page, 'Activity');
  await page.getByText('It was not verified here yet.').waitFor();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText('It was whole when Olga Owner verified it').waitFor();
  await graphIsConsistent(database);
  expect(await page.evaluate('globalThis.story')).toBe('not reloaded');
  expect(faults).toEqual([]);
  await agent.close();
}, 180_000);

async function makeAccount(page: Page): Promise<void> {
  await page.getByText('You become the first owner of this deployment').waitFor();
  await page.getByLabel('Name').fill('Olga Owner');
  await page.getByLabel('E-mail address').fill('olga@example.org');
  await page.getByLabel('Password').fill('a quay, a kettle, a seal');
  await page.getByRole('button', { name: /Make the account/ }).click();
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
}

/** By the navigation, as who has the page open. */
async function go(page: Page, to: string): Promise<void> {
  await navigation(page).getByRole('link', { name: to }).click();
  await page.getByRole('heading', { name: to, level: 1 }).waitFor();
}

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

async function makeSite(page: Page): Promise<void> {
  await go(page, 'Sites');
  await page.getByRole('button', { name: 'New site' }).first().click();
  await page.getByLabel('Name').fill('The Harbour Letter');
  await page.getByRole('button', { name: 'Make the site' }).click();
  await page.getByRole('heading', { name: 'Nothing is written yet' }).waitFor();
}

/** Makes a key, and reads how to connect with it as a person does, from the page. */
async function connectAgent(page: Page): Promise<Connection> {
  await go(page, 'Agents');
  await page.getByRole('link', { name: 'Connect an agent' }).click();
  await page.getByLabel('Name').fill('Newsroom drafts');
  await page.getByRole('button', { name: /^Write and publish/ }).click();
  expect(await page.getByRole('radio', { name: /^Edits/ }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByText('only time that the secret is shown').waitFor();
  const claudeCode = inClaudeCode(await shownSetup(page, 'Claude Code', 'Run this in a terminal:'));
  const cursor = inCursor(await shownSetup(page, 'Cursor', '.cursor/mcp.json'));
  const any = inAnyClient(
    await shownSetup(page, 'Any other client', 'Address'),
    await page.getByRole('textbox', { name: 'Header' }).inputValue(),
  );
  expect([claudeCode, cursor]).toEqual([any, any]);
  await picture(page, 'story-setup');
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('heading', { name: 'What this key may do' }).waitFor();
  return any;
}

async function edit(agent: TestClient, site: string, entry: string, rev: number, find: string, replace: string) {
  const edits = [{ find, replace, count: 1 }];
  return worked(await agent.call('edit_body', { site, entry, rev, edits })).rev;
}

/** What a call to publish is answered, and the very same call once more. */
async function askToPublish(agent: TestClient, site: string, entry: string) {
  const what = { nodes: [entry] };
  const { expectDraft } = worked(await agent.call('get_publish_plan', { site, what })).data;
  const again = (confirmToken?: string) =>
    agent.call('publish', { site, what, expectDraft, ...(confirmToken !== undefined && { confirmToken }) });
  const answer = await again();
  const { confirmToken } = (answer.json.details ?? {}) as { confirmToken?: string };
  return { ...answer, again, confirmToken };
}

/** The one request that waits, which the open page shows by itself. */
async function openRequest(page: Page): Promise<void> {
  await page.getByRole('list').getByRole('link', { name: /Seals/ }).click();
  await page.getByRole('button', { name: 'Approve and run' }).waitFor();
}

/** Approves, and gives what the page says that came of it. */
async function approve(page: Page): Promise<string | null> {
  await page.getByRole('button', { name: 'Approve and run' }).click();
  const outcome = page.getByRole('status').filter({ hasText: 'Done. The agent gets the result' });
  await outcome.waitFor();
  return outcome.textContent();
}

/** What readers get, to the byte. */
async function readers(): Promise<{ status: number; text: string }> {
  const response = await fetch(`${deployment.url}/sites/the-harbour-letter/articles/seals`);
  return { status: response.status, text: await response.text() };
}

async function countSnapshots(): Promise<number> {
  const [row] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM tools.snap');
  return row!.count;
}

/** How a gateway refuses what a client sends. */
async function refusal(gateway: string, { url, headers }: Connection): Promise<[number, string]> {
  const response = await fetch(gateway + new URL(url).pathname, {
    method: 'POST',
    headers: {
      ...headers,
      host: new URL(url).host,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { error } = (await response.json()) as { error: { data: { code: string } } };
  return [response.status, error.data.code];
}
