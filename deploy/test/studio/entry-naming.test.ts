import type { TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../people.ts';
import { worked } from '../story.ts';
import { checkPage, picture } from './check-page.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let site: string;
let editor: Person;
let agent: TestClient;
const ids: Record<string, string> = {};
beforeAll(async () => {
  stage = await openStage();
  site = (await stage.house.sites())[0]!.id;
  editor = await stage.person('editor', 'Edda Editor');
  agent = await stage.agent({ name: 'Winter desk' });
  // More than one reading of each list has.
  for (const label of ['Grey seals', ...numbered('Harbour', 60), 'Zebras']) await propose(label);
  for (const name of ['Ada Byron', 'Grace Hopper', ...numbered('Stringer', 100), 'Zoe Last']) await add(name);
}, 240_000);
afterAll(() => stage?.stop());

const numbered = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} ${at + 1}`);

const propose = async (label: string) =>
  worked(
    await agent.call('propose_term', { site, op: 'create', taxonomy: 'topics', set: { label }, reason: 'A topic.' }),
  );

/** A person for bylines, which another person agrees to. */
async function add(name: string): Promise<void> {
  const args = { arguments: { site, set: { name }, reason: 'Writes for us.' } };
  const send = (body: object) => stage.owner.send('/api/tools/propose_person', { method: 'POST', body });
  const { body } = await send(args);
  const { state } = (body.question ?? {}) as { state?: string };
  const { body: done } = state === undefined ? { body } : await send({ ...args, answer: { state, confirm: true } });
  ids[name] = (done.result as { data: { id: string } }).data.id;
}

let written = 0;
async function write(about: string, more: object = {}): Promise<string> {
  const fields = { title: `About ${about}` };
  // Another one each time: a test may be tried again.
  const slug = `${about}-${++written}`;
  const made = worked(
    await agent.call('create_entry', { site, type: 'article', slug, fields, body: 'Words.', ...more }),
  );
  return made.data.id as string;
}

const read = async (entry: string) => worked(await agent.call('get_entry', { site, entry })).data;

async function change(entry: string, more: object): Promise<void> {
  const { rev } = await read(entry);
  worked(await agent.call('update_entry', { site, entry, rev, ...more }));
}

const search = (page: Page, label: string) => page.getByRole('combobox', { name: `Add to: ${label}` });
const named = (page: Page, label: string) => page.getByRole('list', { name: label }).getByRole('listitem');
const names = (page: Page, label: string) => named(page, label).allTextContents();

/** Adds what is found, with keys alone. */
async function choose(page: Page, label: string, text: string, found: string): Promise<void> {
  const input = search(page, label);
  const option = page.getByRole('option', { name: found });
  await input.focus();
  await page.keyboard.type(text);
  // Where the page moved under it, the list has closed; the key opens it again.
  const isReached = async () => {
    if (!(await option.isVisible())) return false;
    return (await input.getAttribute('aria-activedescendant')) === (await option.getAttribute('id'));
  };
  await option.waitFor({ timeout: 5_000 }).catch(() => undefined);
  for (let n = 0; n < 30 && !(await isReached()); n++) {
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(100);
  }
  await page.keyboard.press('Enter');
  await named(page, label).filter({ hasText: found }).waitFor();
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByText('Saved. Readers see it once it is published.').waitFor();
}

const focused = (page: Page) => page.locator(':focus').getAttribute('aria-label');

describe('the topics and bylines of an entry', () => {
  it('are found in long lists, put in order, taken out and saved, with keys alone', async () => {
    const entry = await write('keys', {
      terms: { topics: ['harbour-7'] },
      bylines: [ids['Ada Byron'], ids['Zoe Last']],
    });
    const { page, faults, close } = await stage.open(`sites/${site}/entries/${entry}`, { as: editor });
    await page.getByText('Zoe Last').waitFor();
    expect(await names(page, 'Bylines')).toEqual(['Ada Byron', 'Zoe Last']);
    await named(page, 'Topics').filter({ hasText: 'Harbour 7' }).waitFor();

    await choose(page, 'Topics', 'zeb', 'Zebras');
    // The input is free for the next one.
    await choose(page, 'Topics', 'seals', 'Grey seals');
    await choose(page, 'Bylines', 'stringer 100', 'Stringer 100');
    // What is written is not chosen, and stays nowhere.
    await search(page, 'Topics').focus();
    await page.keyboard.type('Nobody made this');
    await page.getByText('Nothing is called so.').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('harbour 1');
    await page.getByRole('option', { name: 'Harbour 12' }).waitFor();
    await picture(page, 'entry-naming-search');
    await page.keyboard.press('Tab');
    expect(await search(page, 'Topics').inputValue()).toBe('');

    const press = async (label: string) => {
      await page.getByRole('button', { name: label }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Move up: Stringer 100');
    await page.getByText('Stringer 100 is number 2 of 3 now.').waitFor();
    expect(await focused(page)).toBe('Move up: Stringer 100');
    await page.keyboard.press('Enter');
    expect(await names(page, 'Bylines')).toEqual(['Stringer 100', 'Ada Byron', 'Zoe Last']);
    // It is the first: only the other way is left.
    expect(await focused(page)).toBe('Move down: Stringer 100');
    await press('Remove: Ada Byron');
    expect(await focused(page)).toBe('Remove: Zoe Last');
    await press('Remove: Harbour 7');
    expect(await names(page, 'Topics')).toEqual(['Zebras', 'Grey seals']);

    await save(page);
    expect(await read(entry)).toMatchObject({
      terms: { topics: ['zebras', 'grey-seals'] },
      bylines: [ids['Stringer 100'], ids['Zoe Last']],
    });
    await press('Remove: Zoe Last');
    await press('Remove: Stringer 100');
    expect(await search(page, 'Bylines').evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    await save(page);
    expect(await read(entry)).not.toHaveProperty('bylines');
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('go together with what an agent changed meanwhile, and a clash of bylines is shown by their names', async () => {
    const [ada, grace, zoe] = ['Ada Byron', 'Grace Hopper', 'Zoe Last'].map((name) => ids[name]!);
    const entry = await write('both', { terms: { topics: ['harbour-1', 'harbour-2'] }, bylines: [ada] });
    const { page, faults, close } = await stage.open(`sites/${site}/entries/${entry}`, { as: editor });
    await choose(page, 'Topics', 'zeb', 'Zebras');
    await page.getByRole('button', { name: 'Remove: Harbour 1' }).click();

    await change(entry, { terms: { add: { topics: ['grey-seals'] } }, bylines: [ada, grace] });
    await page.getByText('You changed different parts, so both fit.').waitFor();
    await page.getByRole('alert').getByText('Ada Byron, Grace Hopper').waitFor();
    await page.getByRole('button', { name: 'Put my changes into theirs' }).click();
    expect(await names(page, 'Bylines')).toEqual(['Ada Byron', 'Grace Hopper']);
    await choose(page, 'Bylines', 'zoe', 'Zoe Last');

    await change(entry, { bylines: [grace] });
    await page.getByText('You both changed the same part.').waitFor();
    await page.getByRole('button', { name: 'Keep my text in place of theirs' }).click();
    await save(page);
    expect(await read(entry)).toMatchObject({
      terms: { topics: ['harbour-2', 'grey-seals', 'zebras'] },
      bylines: [ada, grace, zoe],
    });
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('are called by their names where somebody publishes them, and a correction by its day', async () => {
    const [ada, grace] = ['Ada Byron', 'Grace Hopper'].map((name) => ids[name]!);
    const entry = await write('told', { bylines: [ada] });
    const { page, faults, close } = await stage.open(`sites/${site}/entries/${entry}`, { as: editor });
    const dialog = page.getByRole('alertdialog', { name: 'What readers will see' });
    await page.getByRole('button', { name: 'Publish…' }).click();
    await dialog.getByRole('button', { name: /^Publish \d/ }).click();
    await page.getByRole('button', { name: 'Close' }).last().click();

    await change(entry, { bylines: [ada, grace], terms: { add: { topics: ['grey-seals'] } } });
    const { rev } = await read(entry);
    const correction = { kind: 'clarification', text: 'Two wrote it.', correctedAt: '2026-11-30' };
    worked(await agent.call('add_correction', { site, entry, rev, ...correction }));
    await page.getByRole('button', { name: 'Publish…' }).click();
    await dialog.getByText('Ada Byron, Grace Hopper').waitFor();
    const rows = await dialog.locator('dl > div').allTextContents();
    expect(rows.toSorted()).toEqual([
      'BylinesAda Byron → Ada Byron, Grace Hopper',
      'Clarification of 30 November 2026"Two wrote it."',
      'Topicsgrey-seals',
    ]);
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('look right, also in a conflict, and are read by who may not change them', async () => {
    const bylines = [ids['Ada Byron'], ids['Grace Hopper']];
    const entry = await write('looks', { terms: { topics: ['harbour-1', 'harbour-2'] }, bylines });
    const path = `sites/${site}/entries/${entry}`;
    const ready = (page: Page) => page.getByText('Grace Hopper');
    await checkPage(stage, path, { as: editor, name: 'entry-naming', ready });
    const topics = numbered('harbour', 60)
      .map((label) => label.replace(' ', '-'))
      .slice(10);
    await checkPage(stage, path, {
      as: editor,
      name: 'entry-naming-conflict',
      ready,
      async before(page) {
        await choose(page, 'Bylines', 'zoe', 'Zoe Last');
        const add = { topics: [topics.pop()] };
        await change(entry, { terms: { add }, bylines: topics.length % 2 ? bylines.toReversed() : bylines });
        await page.getByText('Somebody else changed this in the meantime').waitFor();
      },
    });
    const reviewer = await stage.person('reviewer');
    const { page, close } = await stage.open(path, { as: reviewer });
    await page.getByText('Ada Byron, Grace Hopper').waitFor();
    await page.getByText('Harbour 1, Harbour 2', { exact: false }).waitFor();
    expect(await page.getByRole('combobox').count()).toBe(0);
    await close();
  }, 120_000);
});
