import type { TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../people.ts';
import { worked } from '../story.ts';
import { checkPage } from './check-page.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let site: string;
let editor: Person;
let agent: TestClient;
beforeAll(async () => {
  stage = await openStage();
  site = (await stage.house.sites())[0]!.id;
  editor = await stage.person('editor', 'Edda Editor');
  agent = await stage.agent({ name: 'Winter desk' });
}, 120_000);
afterAll(() => stage?.stop());

const body = [
  'Every winter the grey seals come back to the same beach.',
  'They stay for about three weeks.',
  'Visitors keep a distance of fifty metres.',
  'The warden counts them twice a day.',
].join('\n\n');

async function write(slug: string, title: string) {
  const made = worked(await agent.call('create_entry', { site, type: 'article', slug, fields: { title }, body }));
  return made.data as { id: string; rev: number };
}

async function edit(entry: string, find: string, replace: string) {
  const { rev } = worked(await agent.call('get_entry', { site, entry })).data as { rev: number };
  worked(await agent.call('edit_body', { site, entry, rev, edits: [{ find, replace }] }));
}

const live = async (path: string) => {
  const response = await fetch(`${stage.url}/sites/example${path}`);
  return { status: response.status, text: await response.text() };
};

/** Writes over a word of the text of an entry that is open. */
async function retype(page: Page, from: string, to: string) {
  const text = page.getByLabel('Text', { exact: true });
  await text.fill((await text.inputValue()).replace(from, to));
}

describe('the sites', () => {
  it('look right, in each of their parts', async () => {
    const { id } = await write('walks', 'Winter walks');
    await checkPage(stage, 'sites', {
      as: stage.owner,
      name: 'sites',
      ready: (page) => page.getByRole('link', { name: 'The Harbour Letter' }),
    });
    const parts: [string, string, (page: Page) => ReturnType<Page['getByText']>][] = [
      ['', 'site-entries', (page) => page.getByRole('link', { name: /Winter walks/ })],
      ['/pages', 'site-pages', (page) => page.getByText('/about')],
      ['/releases', 'site-releases-empty', (page) => page.getByText('No release is planned')],
      ['/media', 'site-media-empty', (page) => page.getByText('There are no pictures or files yet')],
      ['/comments', 'site-comments-empty', (page) => page.getByText('No comment waits')],
      ['/history', 'site-history', (page) => page.getByText('A new entry').first()],
      ['/rules', 'site-rules', (page) => page.getByRole('button', { name: 'Save the rules' })],
      [`/entries/${id}`, 'entry', (page) => page.getByLabel('Text', { exact: true })],
    ];
    for (const [path, name, ready] of parts) {
      await checkPage(stage, `sites/${site}${path}`, { as: stage.owner, name, ready });
    }
  }, 240_000);

  it('let a person and an agent work on one text: nothing of either is lost, and what is published is what was shown', async () => {
    const { id } = await write('seals', 'Seals on the beach');
    const { page, faults, close } = await stage.open(`sites/${site}/entries/${id}`, { as: editor });
    await retype(page, 'three weeks', 'four weeks');

    // An agent changes another part: both fit.
    await edit(id, 'fifty metres', 'one hundred metres');
    await page.getByRole('heading', { name: 'Somebody else changed this in the meantime' }).waitFor();
    await page.getByText('Winter desk').first().waitFor();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toContain('four weeks');
    await page.getByRole('button', { name: 'Put my changes into theirs' }).click();
    const text = await page.getByLabel('Text', { exact: true }).inputValue();
    expect(text).toContain('four weeks');
    expect(text).toContain('one hundred metres');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('Saved. Readers see it once it is published.').waitFor();

    // Both change the same part while the page does not hear of it: the server refuses, and the text stays.
    await page.route('**/api/tools/get_entry', (route) => route.abort());
    await retype(page, 'twice a day', 'three times a day');
    await edit(id, 'twice a day', 'every hour');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.unroute('**/api/tools/get_entry');
    await edit(id, 'Every winter', 'Each winter');
    await page.getByText('You both changed the same part.').waitFor();
    await page.getByRole('button', { name: 'Keep my text in place of theirs' }).click();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toContain('three times a day');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('Saved. Readers see it once it is published.').waitFor();

    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'What readers will see' });
    await dialog.getByText('Seals on the beach').waitFor();
    expect((await live('/articles/seals')).status).toBe(404);
    await dialog.getByRole('button', { name: 'Publish 1 change' }).click();
    await page.getByText('Published: 1 change. Readers see it now.').waitFor();
    expect((await live('/articles/seals')).text).toContain('three times a day');
    expect(faults.filter((fault) => !/ERR_FAILED/.test(fault))).toEqual([]);
    await close();
  }, 120_000);
});
