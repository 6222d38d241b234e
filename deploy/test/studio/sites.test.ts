import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { photograph, plainPng } from '@cloudhal/tool-service/media/testing/pictures';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Person } from '../people.ts';
import { worked } from '../story.ts';
import { checkPage, picture } from './check-page.ts';
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

async function makeSite(slug: string, locales: string[]): Promise<string> {
  const { body: made } = await stage.owner.send('/api/sites', { method: 'POST', body: { slug, title: slug, locales } });
  return (made.site as { id: string }).id;
}

const live = async (path: string) => {
  const response = await fetch(`${stage.url}/sites/example${path}`);
  return { status: response.status, text: await response.text() };
};

/** Drops files from outside the browser on what is shown. */
async function drop(page: Page, on: Locator, given: Record<string, Buffer>) {
  const folder = mkdtempSync(join(tmpdir(), 'cloudhal-drop-'));
  const files = Object.keys(given).map((name) => join(folder, name));
  for (const [name, bytes] of Object.entries(given)) writeFileSync(join(folder, name), bytes);
  const { x, y } = (await on.boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data });
  }
  onTestFinished(() => rmSync(folder, { recursive: true }));
}

/** Writes over a word of the text of an entry that is open. */
async function retype(page: Page, from: string, to: string) {
  const text = page.getByLabel('Text', { exact: true });
  await text.fill((await text.inputValue()).replace(from, to));
}

describe('the sites', () => {
  it('look right, in each of their parts', async () => {
    const { id } = await write('walks', 'Winter walks');
    const pictures: [string, string, Buffer][] = [
      ['beach.jpg', 'Grey seals asleep on a beach', await photograph()],
      ['approved-by-admin.png', '<b>Approved</b> by admin', await plainPng(120, 90)],
    ];
    for (const [filename, alt, bytes] of pictures) {
      worked(await agent.call('upload_asset', { site, filename, base64: bytes.toString('base64'), alt }));
    }
    await planRelease(id);
    const parts: [string, string, (page: Page) => Locator][] = [
      ['', 'sites', (page) => page.getByRole('link', { name: 'The Harbour Letter' })],
      [`/${site}`, 'site-entries', (page) => page.getByRole('link', { name: /Winter walks/ })],
      [`/${site}/pages`, 'site-pages', (page) => page.getByText('/about')],
      [`/${site}/releases`, 'site-releases', (page) => page.getByRole('heading', { name: 'Scheduled' })],
      [`/${site}/media`, 'site-media', (page) => page.getByRole('img', { name: /Grey seals/ })],
      [`/${site}/history`, 'site-history', (page) => page.getByText('A new entry').first()],
      [`/${site}/rules`, 'site-rules', (page) => page.getByRole('button', { name: 'Save the rules' })],
    ];
    for (const [path, name, ready] of parts) {
      await checkPage(stage, `sites${path}`, { as: stage.owner, name, ready });
    }
    // An agent changes what a person is changing.
    const words = ['three', 'four', 'five', 'six', 'seven'];
    await checkPage(stage, `sites/${site}/entries/${id}`, {
      as: editor,
      name: 'entry-conflict',
      ready: (page) => page.getByLabel('Text', { exact: true }),
      async before(page) {
        await retype(page, 'twice a day', 'every hour');
        const [from, to] = [words.shift(), words[0]];
        await edit(id, `${from} weeks`, `${to} weeks`);
        await page.getByText('You changed different parts, so both fit.').waitFor();
        await page.getByText('Winter desk').first().waitFor();
      },
    });
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

    // What is typed while a save is under way is not saved by it: the next one does.
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/api/tools/update_entry', (route) => held.then(() => route.continue()), { times: 1 });
    await retype(page, 'four weeks', 'five weeks');
    const sent = page.waitForRequest('**/api/tools/update_entry');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await sent;
    await retype(page, 'five weeks', 'six weeks');
    const answered = page.waitForResponse('**/api/tools/update_entry');
    letGo();
    await answered;
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('Saved. Readers see it once it is published.').waitFor();
    const kept = worked(await agent.call('get_entry', { site, entry: id })).data as { body: string };
    expect(kept.body).toContain('six weeks');

    // Both change the same part while the page does not hear of it: the server refuses, and the text stays.
    await page.route('**/api/tools/get_entry', (route) => route.abort());
    await retype(page, 'twice a day', 'three times a day');
    await edit(id, 'twice a day', 'every hour');
    await edit(id, 'Every winter', 'Each winter');
    const refused = page.waitForResponse('**/api/tools/update_entry');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await refused;
    await page.unroute('**/api/tools/get_entry');
    // Any change of the site has the page read again.
    await write('other-seals', 'Other seals');
    await page.getByText('You both changed the same part.').waitFor();
    await page.getByRole('button', { name: 'Keep my text in place of theirs' }).click();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toContain('three times a day');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('Saved. Readers see it once it is published.').waitFor();

    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'What readers will see' });
    await dialog.getByText('Seals on the beach').waitFor();
    await picture(page, 'publish-dialog');
    expect((await live('/articles/seals')).status).toBe(404);
    await dialog.getByRole('button', { name: 'Publish 1 change' }).click();
    await page.getByText('Published: 1 change. Readers see it now.').waitFor();
    expect((await live('/articles/seals')).text).toContain('three times a day');
    expect(faults.filter((fault) => !/ERR_FAILED/.test(fault))).toEqual([]);
    await close();
  }, 120_000);

  it('have a text of several hundred kilobytes changed as any other', async () => {
    const long = Array.from({ length: 3_000 }, (_, at) => `${at}. ${'Seals sleep through the storm. '.repeat(4)}`);
    const text = `${long.join('\n\n\n')}\n`;
    const made = { site, type: 'article', slug: 'long-seals', fields: { title: 'Long seals' }, body: text };
    const { id } = worked(await agent.call('create_entry', made)).data as { id: string };
    const { page, close } = await stage.open(`sites/${site}/entries/${id}`, { as: editor });
    const field = page.getByLabel('Text', { exact: true });
    await field.waitFor();
    expect(await field.inputValue()).toBe(text);
    // As a person does: a browser takes minutes to put all of it in at once.
    await field.press('Control+End');
    await field.pressSequentially('The end.');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('Saved. Readers see it once it is published.').waitFor();
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe(`${text}The end.`);
    await close();
  }, 60_000);
});

describe('a release', () => {
  it('is seen, scheduled by a clock that is named, taken back, and published by a person', async () => {
    const { id } = await write('gulls', 'Gulls on the pier');
    const made = { site, title: 'The spring issue', items: [{ node: id }] };
    worked(await agent.call('create_release', made));
    const { page, faults, close } = await stage.open(`sites/${site}/releases`, { as: editor });
    const row = page.getByRole('listitem').filter({ hasText: 'The spring issue' });
    await row.getByRole('button', { name: 'Schedule…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'When readers see it' });
    await dialog.getByText('Gulls on the pier').first().waitFor();
    await dialog.getByText('Visitors keep a distance of fifty metres.').waitFor();

    // A time that no clock shows: the night in which they go forward.
    const spring = `${new Date().getUTCFullYear() + 1}-03-${lastSunday(new Date().getUTCFullYear() + 1, 2)}`;
    await dialog.getByLabel('Date and time').fill(`${spring}T02:30`);
    await dialog.getByLabel('Time zone').fill('Berlin time');
    await dialog.getByRole('button', { name: 'Schedule it' }).click();
    await dialog.getByText('There is no time zone of that name.').waitFor();
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await dialog.getByLabel('Date and time').fill(`${spring}T02:30`);
    await dialog.getByRole('button', { name: 'Schedule it' }).click();
    await dialog.getByText('Where clocks change in that night', { exact: false }).waitFor();
    await picture(page, 'schedule-dialog');
    await dialog.getByLabel('Date and time').fill(`${spring}T09:00`);
    await dialog.getByRole('button', { name: 'Schedule it' }).click();
    await row.getByText('Scheduled').waitFor();
    expect((await releaseCalled('The spring issue'))?.schedule).toMatchObject({
      at: `${spring}T07:00:00.000Z`,
      timeZone: 'Europe/Berlin',
    });

    await row.getByRole('button', { name: 'Take back…' }).click();
    await page.getByRole('button', { name: 'Take it back' }).click();
    await row.getByText('Open').waitFor();
    await row.getByRole('button', { name: 'Publish now…' }).click();
    const now = page.getByRole('alertdialog', { name: 'What readers will see' });
    await now.getByText('Gulls on the pier').first().waitFor();
    expect((await live('/articles/gulls')).status).toBe(404);
    await now.getByRole('button', { name: 'Publish 1 change' }).click();
    await page.getByText('Published: 1 change. Readers see it now.').waitFor();
    expect((await live('/articles/gulls')).status).toBe(200);
    await page.getByRole('button', { name: 'Close' }).last().click();
    await row.getByText('Went live').waitFor();
    expect(faults.filter((fault) => !/400/.test(fault))).toEqual([]);
    await close();
  }, 90_000);

  it('is made of what a person finds, without a mouse, and changed while an agent changes it, too', async () => {
    const [terns, ducks, geese] = [
      await write('terns', 'Terns over the dunes'),
      await write('ducks', 'Ducks in the lock'),
      await write('geese', 'Geese on the meadow'),
    ];
    const { page, faults, close } = await stage.open(`sites/${site}/releases`, { as: editor });
    await page.getByRole('button', { name: 'New release' }).press('Enter');
    const making = page.getByRole('alertdialog', { name: 'Start a new release' });
    await page.keyboard.type('The bird issue');
    await making.getByLabel('What it is for').fill('All about birds.');
    // What readers do not see yet is there at once; the rest is found by its words.
    await making.getByRole('checkbox', { name: /Ducks in the lock/ }).press('Space');
    await making.getByLabel('Words of a page or an entry').fill('terns');
    await making.getByRole('list', { name: 'Pages and entries with these words' }).waitFor();
    await making.getByRole('checkbox', { name: /Terns over the dunes/ }).press('Space');
    await making.getByRole('heading', { name: 'In the release: 2 items' }).waitFor();
    await becomes(page, making, 'Terns over the dunes', 'As it is now (revision 1)');
    await picture(page, 'new-release');
    await making.getByRole('button', { name: 'Make the release' }).press('Enter');
    const row = page.getByRole('listitem').filter({ hasText: 'The bird issue' });
    await row.getByText('2 items').waitFor();
    const made = (await releaseCalled('The bird issue'))!;
    expect((await inRelease(made.id)).data).toMatchObject({
      note: 'All about birds.',
      items: [
        { node: ducks.id, op: 'publish', follows: 'draft' },
        { node: terns.id, op: 'publish', rev: 1 },
      ],
    });

    await row.getByRole('button', { name: 'Change…' }).press('Enter');
    const changing = page.getByRole('alertdialog', { name: 'What is in this release' });
    await changing.getByRole('button', { name: 'Take out: Ducks in the lock' }).press('Enter');
    const left = changing.getByRole('heading', { name: 'In the release: 1 item' });
    await left.waitFor();
    expect(await left.evaluate((heading) => heading === heading.ownerDocument.activeElement)).toBe(true);
    await becomes(page, changing, 'Terns over the dunes', 'Goes off the site');
    // An agent is faster, and the page does not hear of it before the person saves.
    await page.route('**/api/tools/get_release', (route) => route.abort());
    const add = [{ node: geese.id }];
    worked(await agent.call('set_release_items', { site, release: made.id, rev: 1, add }));
    await changing.getByRole('button', { name: 'Save the release' }).press('Enter');
    await changing.getByText('Somebody changed this release in the meantime', { exact: false }).waitFor();
    await page.unroute('**/api/tools/get_release');
    await write('other-birds', 'Other birds');
    await changing.getByRole('button', { name: 'Take out: Geese on the meadow' }).waitFor();
    await changing.getByRole('button', { name: 'Save the release' }).press('Enter');
    await changing.waitFor({ state: 'detached' });
    expect((await inRelease(made.id)).data.items).toMatchObject([
      { node: geese.id, op: 'publish', follows: 'draft' },
      { node: terns.id, op: 'unpublish' },
    ]);

    await row.getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.getByRole('button', { name: 'Delete it' }).press('Enter');
    await row.waitFor({ state: 'detached' });
    expect(await releaseCalled('The bird issue')).toBeUndefined();
    expect(faults).toEqual([]);
    await close();
  }, 90_000);

  it('looks right where it is made, changed and scheduled', async () => {
    const { id } = await write('herons', 'Herons at the weir');
    const [soon, held] = [await write('swans', 'Swans'), 'The heron issue'];
    const until = new Date(Date.now() + 7 * 86_400_000).toISOString();
    await personCall(editor, 'set_embargo', { node: soon.id, rev: soon.rev, until, reason: 'Agreed.' });
    const items = [{ node: id, rev: 1 }, { node: soon.id }];
    worked(await agent.call('create_release', { site, title: held, items }));
    await edit(id, 'three weeks', 'four weeks');
    const row = (page: Page) => page.getByRole('listitem').filter({ hasText: held });
    const dialog = (page: Page) => page.getByRole('alertdialog');
    const dialogs: [string, (page: Page) => Promise<void>][] = [
      [
        'new-release',
        async (page) => {
          await page.getByRole('button', { name: 'New release' }).click();
          // On a phone it is shown once there is room for the keyboard.
          await dialog(page).getByLabel('Title').click();
          await dialog(page).getByLabel('Title').fill('Another issue');
          await dialog(page).getByLabel('Words of a page or an entry').fill('herons');
          await dialog(page)
            .getByRole('checkbox', { name: /Herons/ })
            .press('Space');
          await dialog(page)
            .getByRole('button', { name: /^Take out/ })
            .waitFor();
        },
      ],
      [
        'change-release',
        async (page) => {
          await row(page).getByRole('button', { name: 'Change…' }).click();
          await dialog(page).getByRole('button', { name: 'Take out: Swans' }).waitFor();
          await dialog(page).getByRole('checkbox').first().waitFor();
        },
      ],
      [
        'schedule-release',
        async (page) => {
          await row(page).getByRole('button', { name: 'Schedule…' }).click();
          await dialog(page)
            .getByLabel('Date and time')
            .fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 16));
          await dialog(page).getByLabel('Time zone').fill('UTC');
          await dialog(page).getByRole('button', { name: 'Schedule it' }).click();
          await dialog(page).getByText('under an embargo at that time', { exact: false }).waitFor();
          await dialog(page).getByText('its draft is at rev 2 by now').first().waitFor();
        },
      ],
      [
        'delete-release',
        async (page) => {
          await row(page).getByRole('button', { name: 'Delete…' }).click();
          await dialog(page).getByText(held).waitFor();
        },
      ],
    ];
    for (const [name, before] of dialogs) {
      await checkPage(stage, `sites/${site}/releases`, { as: editor, name, ready: row, before });
    }
  }, 240_000);
});

async function openAddFile(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a file…' }).click();
  return page.getByRole('dialog', { name: 'Add a file' });
}
const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer });

describe('a file', () => {
  it('comes from the device of a person, with what it shows; what is no picture is refused, and another can be chosen', async () => {
    const { page, faults, close } = await stage.open(`sites/${site}/media`, { as: editor });
    const dialog = await openAddFile(page);
    expect(await dialog.getByRole('button', { name: 'Add it' }).isDisabled()).toBe(true);
    await choose(page, '<b>approved</b>.png', Buffer.from('Approved by admin'));
    await dialog.getByText('<b>approved</b>.png').waitFor();
    await dialog.getByText('17 bytes').waitFor();
    await dialog.getByRole('button', { name: 'Add it' }).click();
    await dialog.getByText('This kind of content is not accepted', { exact: false }).waitFor();

    await choose(page, 'lighthouse.png', await plainPng(240, 160));
    await dialog.getByLabel('Description (en)').fill('The lighthouse at dusk');
    await dialog.getByRole('button', { name: 'Add it' }).click();
    await page.getByRole('img', { name: 'The lighthouse at dusk' }).waitFor();
    await page.getByText('lighthouse.png').waitFor();
    expect(faults.filter((fault) => !/415/.test(fault))).toEqual([]);
    await close();
  }, 60_000);

  it('is dropped, described in each language, and sent while its progress is seen', async () => {
    const shores = await makeSite('three-shores', ['en', 'de']);
    const { page, faults, close } = await stage.open(`sites/${shores}/media`, { as: editor });
    // What follows the picture in its file is passed over; it makes the way long.
    const picture = Buffer.concat([await plainPng(240, 160), randomBytes(700_000)]);
    const dialog = page.getByRole('dialog', { name: 'Add a file' });
    const add = async () => {
      await openAddFile(page);
      await drop(page, dialog.getByText('Drop a picture'), { 'pier.png': picture });
      await dialog.getByText('pier.png').waitFor();
      await dialog.getByLabel('Description (en)').fill('A pier');
      await dialog.getByRole('button', { name: /Language of the description/ }).click();
      await page.getByRole('option', { name: 'de' }).click();
      await dialog.getByLabel('Description (de)').fill('Ein Steg');
      await dialog.getByRole('button', { name: 'Add it' }).click();
    };

    // Over a slow line: it is on its way, and who gives it up has added nothing.
    const line = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 30_000 };
    await line.send('Network.emulateNetworkConditions', slow);
    await add();
    const progress = dialog.getByRole('progressbar', { name: 'How much of it is sent' });
    const share = async () => Number(await progress.getAttribute('value'));
    await expect.poll(share, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await share()).toBeLessThan(1);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('There are no pictures or files yet').waitFor();

    await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await add();
    await dialog.waitFor({ state: 'detached' });
    const { assets } = worked(await agent.call('list_assets', { site: shores })).data;
    expect(assets).toMatchObject([{ filename: 'pier.png', alt: { en: 'A pier', de: 'Ein Steg' } }]);
    expect(faults).toEqual([]);
    await close();

    await checkPage(stage, `sites/${shores}/media`, {
      as: editor,
      name: 'add-file-dialog',
      ready: (shown) => shown.getByRole('img', { name: 'A pier' }),
      async before(shown) {
        const empty = await openAddFile(shown);
        await empty.getByText('Drop a picture').waitFor();
      },
    });
    await checkPage(stage, `sites/${shores}/media`, {
      as: editor,
      name: 'add-file-sending',
      ready: (shown) => shown.getByRole('img', { name: 'A pier' }),
      async before(shown) {
        // The bytes never arrive.
        await shown.route('**/uploads/*', () => {});
        const filled = await openAddFile(shown);
        await choose(shown, 'pier.png', await plainPng());
        await filled.getByRole('button', { name: 'Add it' }).click();
        await filled.getByRole('progressbar', { name: 'How much of it is sent' }).waitFor();
      },
    });
  }, 180_000);
});

describe('a file that is added', () => {
  it('has no description until somebody writes one, and keeps what is written where it is here already', async () => {
    const shores = await makeSite('four-shores', ['en', 'de']);
    const known = await plainPng(60, 40);
    const file = { filename: 'boat.png', base64: known.toString('base64'), alt: 'A boat', credit: 'Ada' };
    const { id } = worked(await agent.call('upload_asset', { site: shores, ...file })).data;
    const { page, faults, close } = await stage.open(`sites/${shores}/media`, { as: editor });
    const dialog = await openAddFile(page);
    await choose(page, 'ship.png', known);
    await dialog.getByLabel('Description (en)').fill('A red boat');
    await dialog.getByLabel('Licence').fill('CC0');
    await dialog.getByRole('button', { name: 'Add it' }).click();
    const there = page.getByRole('dialog', { name: 'What is said of it' });
    await there.getByText('The same file is here already', { exact: false }).getByText('boat.png').waitFor();
    await there.getByText('A boat', { exact: true }).waitFor();
    await there.getByText('What you wrote is below', { exact: false }).waitFor();
    expect(await there.getByLabel('Description (en)').inputValue()).toBe('A red boat');
    expect(await there.getByLabel('Who made it').inputValue()).toBe('Ada');
    await picture(page, 'add-file-there');
    await there.getByRole('button', { name: 'Save' }).click();
    await there.waitFor({ state: 'detached' });
    const { data } = worked(await agent.call('get_asset', { site: shores, asset: id }));
    expect(data).toMatchObject({ alt: { en: 'A red boat' }, credit: 'Ada', licence: 'CC0' });

    await openAddFile(page);
    await choose(page, 'ship.png', known);
    await dialog.getByRole('button', { name: 'Add it' }).click();
    await there.getByText('The same file is here already', { exact: false }).waitFor();
    expect(await there.getByText('What you wrote is below', { exact: false }).count()).toBe(0);
    await there.getByRole('button', { name: 'Cancel' }).click();

    await openAddFile(page);
    await choose(page, 'raft.png', await plainPng(50, 40));
    await dialog.getByRole('button', { name: 'Add it' }).click();
    await page.getByRole('listitem').filter({ hasText: 'raft.png' }).getByText('No description (en, de)').waitFor();
    const { assets } = worked(await agent.call('list_assets', { site: shores, q: 'raft' })).data;
    expect(assets).toMatchObject([{ filename: 'raft.png', alt: {}, missingAlt: ['en', 'de'] }]);
    expect(faults).toEqual([]);
    await close();
  }, 60_000);
});

describe('files that are dropped', () => {
  it('are taken one at a time, which is said, and beside their place they take nothing away', async () => {
    const { page, faults, close } = await stage.open(`sites/${site}/media`, { as: editor });
    const dialog = await openAddFile(page);
    const image = await plainPng(30, 20);
    await drop(page, dialog.getByText('Drop a picture'), { 'oar.png': image, 'sail.png': image, 'mast.png': image });
    await dialog.getByText('oar.png').waitFor();
    await dialog.getByText('Drop the other 2 again after it.', { exact: false }).waitFor();
    await dialog.getByLabel('Description (en)').fill('An oar');

    // A browser opens a file where nobody says that it should not; this one, without a window, never does.
    const isLeftToBrowser = await page.evaluate(`
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['...'], 'sail.png'));
      const events = ['dragover', 'drop'].map((type) => new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      events.map((event) => document.querySelector('[role=dialog] h2').dispatchEvent(event));
    `);
    expect(isLeftToBrowser).toEqual([false, false]);
    expect(await dialog.getByLabel('Description (en)').inputValue()).toBe('An oar');

    await drop(page, dialog.getByText('Drop a picture'), { 'sail.png': image });
    await dialog.getByText('sail.png').waitFor();
    expect(await dialog.getByText('Files are added one at a time', { exact: false }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  }, 60_000);
});

describe('something new', () => {
  it('has an address and a language that a person gives, whatever letters its title has', async () => {
    const shores = await makeSite('six-shores', ['en', 'ja']);
    const { page, faults, close } = await stage.open(`sites/${shores}`, { as: editor });
    await page.getByRole('button', { name: 'New entry' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a new entry' });
    const address = dialog.getByLabel('Address');
    const start = dialog.getByRole('button', { name: 'Start writing' });
    await dialog.getByLabel('Title').fill('Été at the quay');
    expect(await address.inputValue()).toBe('ete-at-the-quay');
    await dialog.getByLabel('Title').fill('日本語のニュース');
    expect(await address.inputValue()).toBe('');
    await start.click();
    await dialog.getByText('Please fill out this field.').waitFor();
    await address.fill('Nyūsu');
    await start.click();
    await dialog.getByText('The address cannot be used.').waitFor();
    await address.fill('nyusu');
    await dialog.getByRole('button', { name: /Language/ }).click();
    await page.getByRole('option', { name: 'ja' }).click();
    await start.click();
    await page.getByLabel('Text', { exact: true }).waitFor();
    const { entries } = worked(await agent.call('list_entries', { site: shores, type: 'article' })).data;
    expect(entries).toMatchObject([{ title: '日本語のニュース', slug: 'nyusu', locale: 'ja' }]);
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
    await close();
  }, 60_000);

  it('that is a site says which of its languages is none', async () => {
    const { page, close } = await stage.open('sites', { as: stage.owner });
    await page.getByRole('button', { name: 'New site' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a site' });
    await dialog.getByLabel('Name').fill('Seven shores');
    await dialog.getByLabel('Languages').fill('en, de, German');
    await dialog.getByRole('button', { name: 'Make the site' }).click();
    await dialog.getByText('“German” cannot be one of the languages.').waitFor();
    await close();
  }, 60_000);
});

describe('what is said of a file', () => {
  it('stays written where somebody else said something meanwhile, and stands beside that', async () => {
    const shores = await makeSite('five-shores', ['en']);
    const base64 = (await plainPng(60, 40)).toString('base64');
    const file = { site: shores, filename: 'boat.png', base64, alt: 'A boat', credit: 'Ada', licence: 'CC0' };
    const { id, rev } = worked(await agent.call('upload_asset', file)).data;
    const { page, close } = await stage.open(`sites/${shores}/media`, { as: editor });
    await page.getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'What is said of it' });
    await dialog.getByLabel('Description (en)').fill('A red boat');
    await dialog.getByLabel('Licence').clear();
    const theirs = { alt: 'A boat at sea', credit: 'Ada Byron' };
    worked(await agent.call('update_asset', { site: shores, asset: id, rev, locale: 'en', set: theirs }));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Somebody else changed this in the meantime', { exact: false }).waitFor();
    await dialog.getByText('A boat at sea').waitFor();
    expect(await dialog.getByLabel('Description (en)').inputValue()).toBe('A red boat');
    expect(await dialog.getByLabel('Who made it').inputValue()).toBe('Ada Byron');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { alt, credit, licence } = worked(await agent.call('get_asset', { site: shores, asset: id })).data;
    expect({ alt, credit, licence }).toEqual({ alt: { en: 'A red boat' }, credit: 'Ada Byron' });
    await close();
  }, 60_000);

  it('is said in each language of the site, replaced, and taken out again', async () => {
    const shores = await makeSite('two-shores', ['en', 'de']);
    const add = async (filename: string, bytes: Buffer) => {
      const said = { alt: 'A boat', credit: 'Ada', licence: 'CC BY 4.0' };
      const file = { site: shores, filename, base64: bytes.toString('base64'), ...said };
      return worked(await agent.call('upload_asset', file)).data.id as string;
    };
    const said = async (asset: string) => {
      const { alt, credit, licence } = worked(await agent.call('get_asset', { site: shores, asset })).data;
      return { alt, credit, licence };
    };
    const boat = await add('boat.png', await plainPng(60, 40));
    const paper = await add('paper.pdf', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'));

    const path = `sites/${shores}/media`;
    const tile = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
    const { page, faults, close } = await stage.open(path, { as: editor });
    await tile(page, 'paper.pdf').getByText('48 bytes').waitFor();
    const dialog = page.getByRole('dialog', { name: 'What is said of it' });
    const language = dialog.getByRole('button', { name: /Language of the description/ });

    // Who only says who made it has not said that it decorates: in German there is still no description.
    const open = (name: string, action: string) => tile(page, name).getByRole('button', { name: action }).click();
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await open('boat.png', 'Describe…');
    await dialog.getByLabel('Who made it').fill('Ada Byron');
    await save();
    expect(await said(boat)).toEqual({ alt: { en: 'A boat' }, credit: 'Ada Byron', licence: 'CC BY 4.0' });

    // That it does is a choice, which is seen again, and taken back.
    await open('boat.png', 'Describe…');
    const decorates = dialog.getByText('It only decorates', { exact: false }).filter({ visible: true });
    await decorates.click();
    await save();
    expect((await said(boat)).alt).toEqual({ en: 'A boat', de: '' });
    await open('boat.png', 'Change…');
    await language.click();
    await page.getByRole('option', { name: 'de' }).click();
    expect(await dialog.getByLabel('Description (de)').isDisabled()).toBe(true);
    await decorates.click();
    await save();
    expect((await said(boat)).alt).toEqual({ en: 'A boat' });

    // The language that lacks one comes first; the other shows what is there. Both are written, and nothing is lost.
    await tile(page, 'boat.png').getByRole('button', { name: 'Describe…' }).click();
    await dialog.getByLabel('Description (de)').fill('Ein Boot');
    await language.click();
    await page.getByRole('option', { name: 'en' }).click();
    expect(await dialog.getByLabel('Description (en)').inputValue()).toBe('A boat');
    await dialog.getByLabel('Description (en)').fill('A red boat');
    await dialog.getByLabel('Who made it').clear();
    await dialog.getByLabel('Licence').clear();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await said(boat)).toEqual({ alt: { en: 'A red boat', de: 'Ein Boot' } });

    await tile(page, 'boat.png').getByRole('button', { name: 'Change…' }).click();
    await language.click();
    await page.getByRole('option', { name: 'de' }).click();
    expect(await dialog.getByLabel('Description (de)').inputValue()).toBe('Ein Boot');
    await dialog.getByLabel('Description (de)').fill('Ein rotes Boot');
    await dialog.getByLabel('Licence').fill('CC0');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await said(boat)).toEqual({ alt: { en: 'A red boat', de: 'Ein rotes Boot' }, licence: 'CC0' });

    await tile(page, 'paper.pdf').getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Who made it').clear();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await said(paper)).toEqual({ alt: { en: 'A boat' }, licence: 'CC BY 4.0' });
    expect(faults).toEqual([]);
    await close();

    await checkPage(stage, path, {
      as: editor,
      name: 'describe-dialog',
      ready: (shown) => tile(shown, 'boat.png'),
      async before(shown) {
        await tile(shown, 'boat.png').getByRole('button', { name: 'Change…' }).click();
        await shown.getByLabel('Description (en)').waitFor();
      },
    });
  }, 120_000);
});

describe('the history', () => {
  it('says what readers will see, takes the site back to it, and undoes one change', async () => {
    const { page, faults, close } = await stage.open(`sites/${site}/history`, { as: editor });
    const title = (await live('/articles/the-ferry-is-back')).text.match(/<h1[^>]*>([^<]+)/)?.[1];
    const { data } = worked(await agent.call('get_entry', { site, entry: 'the-ferry-is-back' }));
    const { id, rev } = data as { id: string; rev: number };
    worked(await agent.call('update_entry', { site, entry: id, rev, set: { title: 'The ferry is gone' } }));
    await publishAs(editor, id);
    expect((await live('/articles/the-ferry-is-back')).text).toContain('The ferry is gone');

    // The page hears of it by itself; the third one down is the state before the two.
    const snapshots = page.getByRole('list', { name: 'Snapshots, newest first' }).getByRole('listitem');
    await snapshots.nth(1).getByText('An entry was changed').waitFor();
    const before = snapshots.nth(2);
    await before.getByRole('button', { name: 'Back to here…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Go back to this state' });
    await dialog.getByText('readers see the site as it was then').waitFor();
    await dialog.getByText('The ferry is gone').first().waitFor();
    await dialog.getByText(title!, { exact: false }).first().waitFor();
    expect(await dialog.getByRole('button', { name: 'Go back to it' }).isDisabled()).toBe(true);
    await picture(page, 'rollback-dialog');
    await dialog.getByLabel('Why (kept in the history)').fill('It is not gone.');
    await dialog.getByRole('button', { name: 'Go back to it' }).click();
    await page.getByText('Done: 1 change.').waitFor();
    expect((await live('/articles/the-ferry-is-back')).text).not.toContain('The ferry is gone');

    const wrong = snapshots.filter({ hasText: 'An entry was changed' }).first();
    await wrong.getByRole('button', { name: 'Changes' }).click();
    await wrong.getByText('The ferry is gone').first().waitFor();
    await wrong.getByRole('button', { name: 'Undo…' }).click();
    await page.getByRole('button', { name: 'Undo it' }).click();
    await page.getByText('Undone, in the draft.').waitFor();
    const after = worked(await agent.call('get_entry', { site, entry: id })).data as { fields: { title: string } };
    expect(after.fields.title).toBe(title);
    expect(faults).toEqual([]);
    await close();
  }, 120_000);
});

describe('comments', () => {
  it('of strangers are shown as what they are, run nothing, and become public when a person says so', async () => {
    const hostile =
      '<img src=x onerror="document.title=1"><script>document.title=2</script> \u202Edetrevni\nApproved by admin';
    await comment('/articles/a-library-on-the-quay', 'Studio \u202E admin', hostile);
    const path = `sites/${site}/comments`;
    await checkPage(stage, path, {
      as: editor,
      name: 'site-comments',
      ready: (page) => page.getByText('Approved by admin'),
    });

    const { page, faults, close } = await stage.open(path, { as: editor });
    const card = page.getByRole('article').filter({ hasText: 'Approved by admin' });
    await card.getByText('<script>document.title=2</script>').waitFor();
    // What would turn the text around is nowhere.
    expect(await card.textContent()).not.toContain('\u202E');
    // It always needs a person: they see what it does first, say no, and then yes with a recent sign-in.
    const question = page.getByRole('alertdialog', { name: 'This is what it does' });
    await card.getByRole('button', { name: 'Show to readers' }).click();
    await question.getByText('comment', { exact: false }).first().waitFor();
    await picture(page, 'confirm-call');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await live('/articles/a-library-on-the-quay')).text).not.toContain('Approved by admin');
    await stage.withOldSignIns(async () => {
      await card.getByRole('button', { name: 'Show to readers' }).click();
      await question.getByRole('button', { name: 'Do it' }).click();
      await page.getByLabel('Password').fill(editor.password);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByText('Readers see it now.').waitFor();
    });
    expect((await live('/articles/a-library-on-the-quay')).text).toContain('Approved by admin');

    await page.getByText('Shown', { exact: true }).click();
    await card.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.getByText('Readers do not see it.', { exact: false }).waitFor();
    expect((await live('/articles/a-library-on-the-quay')).text).not.toContain('Approved by admin');
    // What asked the person counts as waiting until the page hears that it does not any more.
    await expect.poll(() => page.title()).toBe('Sites · Cloudhal');
    expect(faults).toEqual([]);
    await close();
  }, 120_000);
});

describe('the settings', () => {
  it('are changed by a person beside an agent: each keeps what the other did not touch', async () => {
    const of = await makeSite('settings', ['en']);
    const page = worked(await agent.call('create_page', { site: of, slug: 'hello', title: 'Hello there' })).data;
    const read = async () => worked(await agent.call('get_site', { site: of })).data as Record<string, unknown>;
    const opened = await stage.open(`sites/${of}/settings`, { as: editor });
    const on = opened.page;
    await on.getByLabel('Title', { exact: true }).fill('The quay');
    const tagline = { tagline: 'By an agent' };
    worked(await agent.call('update_site', { site: of, rev: (await read()).rev, set: tagline }));
    await on.getByLabel('More languages').fill('German');
    await on.getByRole('button', { name: /Home page/ }).click();
    await on.getByRole('option', { name: /Hello there/ }).click();
    await on.getByRole('button', { name: 'Save the settings' }).click();
    await on.getByText('“German” cannot be one of the languages.').waitFor();
    await on.getByLabel('More languages').fill('de, pt-BR');
    await on.getByRole('button', { name: 'Save the settings' }).click();
    await on.getByText('Saved in the draft.', { exact: false }).waitFor();
    expect(await read()).toMatchObject({
      title: 'The quay',
      tagline: 'By an agent',
      homePage: page.id,
      locales: ['en', 'de', 'pt-BR'],
    });
    await on.getByText('There are en, de, pt-BR.', { exact: false }).waitFor();
    expect(opened.faults).toEqual([]);
    await opened.close();
    await checkPage(stage, `sites/${of}/settings`, {
      as: editor,
      name: 'site-settings',
      ready: (shown) => shown.getByRole('button', { name: 'Save the settings' }),
    });
    const reading = await stage.open(`sites/${of}/settings`, { as: await stage.person('reviewer') });
    await reading.page.getByText('Your role reads this.', { exact: false }).waitFor();
    expect(await reading.page.getByRole('button', { name: 'Save the settings' }).count()).toBe(0);
    await reading.close();
  }, 180_000);
});

describe('the rules', () => {
  it('of publishing hours are set by an owner, in the zone of the site', async () => {
    const { page, faults, close } = await stage.open(`sites/${site}/rules`, { as: stage.owner });
    await page.getByText('Only at these hours').click();
    await page.getByRole('button', { name: 'Saturday' }).click();
    await page.getByLabel('From').fill('09:30');
    await page.getByLabel('Until').fill('17:00');
    await page.getByLabel('Time zone').fill('Europe/Nowhere');
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await page.getByRole('alert').getByText('a known time zone', { exact: false }).waitFor();
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await page.getByText('Saved. They hold from now on.').waitFor();
    const { body } = await editor.send(`/api/site-rules/${site}`);
    expect(body.rules).toMatchObject({
      publishingWindow: { timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5, 6], from: '09:30', to: '17:00' },
    });
    expect(faults).toEqual([]);
    await close();

    const reading = await stage.open(`sites/${site}/rules`, { as: editor });
    await reading.page.getByText('An owner changes these rules.', { exact: false }).waitFor();
    expect(await reading.page.getByRole('button', { name: 'Save the rules' }).count()).toBe(0);
    await reading.close();
  }, 120_000);
});

describe('a role that only reads', () => {
  const changes: [string, object][] = [
    ['create_entry', { type: 'article', fields: { title: 'No' } }],
    ['update_entry', { entry: 'the-ferry-is-back', rev: 1, set: { title: 'No' } }],
    ['publish', { what: { all: true }, expectDraft: 'sn_1' }],
    ['get_publish_plan', { what: { all: true } }],
    ['unpublish', { items: [{ node: 'en_1', rev: 1 }] }],
    ['rollback', { snapshot: 'sn_1', track: 'live', expectLive: 'sn_1', reason: 'No' }],
    ['undo_change', { snapshot: 'sn_1' }],
    ['create_snapshot', { label: 'No' }],
    ['approve_comments', { items: [{ comment: 'cm_1', rev: 1 }] }],
    ['reject_comments', { items: [{ comment: 'cm_1', rev: 1, reason: 'spam' }] }],
    ['create_release', { title: 'No' }],
    ['set_release_items', { release: 'rl_1', rev: 1, remove: ['en_1'] }],
    ['delete_release', { release: 'rl_1', rev: 1 }],
    ['unschedule_release', { release: 'rl_1', rev: 1 }],
    ['update_asset', { asset: 'as_1', rev: 1, set: { alt: 'No' } }],
  ];
  const readings: [string, object][] = [
    ['get_site', {}],
    ['list_pages', {}],
    ['list_entries', { type: 'article' }],
    ['get_entry', { entry: 'the-ferry-is-back' }],
    ['get_node_history', { node: '/articles/the-ferry-is-back' }],
    ['list_releases', {}],
    ['list_assets', {}],
    ['list_comments', {}],
    ['list_snapshots', {}],
    ['diff_snapshots', { a: 'live', b: 'draft' }],
  ];

  it.each(['reviewer', 'auditor'])(
    'is refused each change by the server, and reads all of it: %s',
    async (role) => {
      const person = await stage.person(role);
      const call = (tool: string, args: object) =>
        person.send(`/api/tools/${tool}`, { method: 'POST', body: { arguments: { site, ...args } } });
      const before = await snapshots();
      for (const [tool, args] of changes) {
        const { status, body: said } = await call(tool, args);
        expect([tool, status, said.code]).toEqual([tool, 403, 'scope_missing']);
      }
      for (const [tool, args] of readings) expect([tool, (await call(tool, args)).status]).toEqual([tool, 200]);
      expect((await call('preview_page', { node: '/about' })).status).toBe(role === 'reviewer' ? 200 : 403);
      for (const [path, method, body] of [
        ['/api/sites', 'POST', { slug: 'own', title: 'Own' }],
        [`/api/site-rules/${site}`, 'PATCH', { fourEyes: false }],
      ] as const) {
        expect((await person.send(path, { method, body })).status).toBe(403);
      }
      expect(await snapshots()).toBe(before);

      const { page, close } = await stage.open(`sites/${site}`, { as: person });
      await page.getByRole('link', { name: /The ferry is back/ }).click();
      await page.getByText('Your role reads this.', { exact: false }).waitFor();
      expect(await page.getByRole('button', { name: /Save|Publish|Take off/ }).count()).toBe(0);
      const title = `Made for the ${role}`;
      worked(await agent.call('create_release', { site, title }));
      await page.goto(`${stage.url}/studio/sites/${site}/releases`);
      await page.getByRole('listitem').filter({ hasText: title }).waitFor();
      expect(await page.getByRole('button', { name: /New release|Change|Schedule|Delete/ }).count()).toBe(0);
      await close();
    },
    60_000,
  );
});

/** Chooses, by the keyboard, what becomes of a part of a release. */
async function becomes(page: Page, dialog: Locator, name: string, choice: string): Promise<void> {
  const select = dialog.getByRole('button', { name: `What becomes of it: ${name}` });
  await select.press('Enter');
  await page.getByRole('option', { name: choice }).press('Enter');
  await select.filter({ hasText: choice }).waitFor();
}

async function releaseCalled(name: string): Promise<Listed | undefined> {
  const { releases } = worked(await agent.call('list_releases', { site, limit: 50 })).data as { releases: Listed[] };
  return releases.find(({ title }) => title === name);
}

const inRelease = async (release: string) => worked(await agent.call('get_release', { site, release }));

/** A release of one entry that goes live tomorrow. */
async function planRelease(node: string): Promise<void> {
  const items = [{ node }];
  const { id } = worked(await agent.call('create_release', { site, title: 'The winter issue', items })).data;
  const { rev, data } = worked(await agent.call('get_release', { site, release: id }));
  const at = new Date(Date.now() + 86_400_000).toISOString();
  await personCall(editor, 'schedule_release', { release: id, rev, at, expectDigest: data.digest });
}

async function snapshots(): Promise<string> {
  const { snapshots: all } = worked(await agent.call('list_snapshots', { site, limit: 1 })).data as {
    snapshots: { id: string }[];
  };
  return all[0]!.id;
}

async function personCall(person: Person, tool: string, args: object) {
  const path = `/api/tools/${tool}`;
  const { status, body: said } = await person.send(path, { method: 'POST', body: { arguments: { site, ...args } } });
  expect(status, JSON.stringify(said)).toBe(200);
  return (said.result as { data: Record<string, unknown> }).data;
}

async function publishAs(person: Person, node: string): Promise<void> {
  const what = { nodes: [node] };
  const { expectDraft } = await personCall(person, 'get_publish_plan', { what });
  await personCall(person, 'publish', { what, expectDraft });
}

/** A reader's comment, by the form of the page; one that is sent too fast for a person is not taken. */
async function comment(path: string, author: string, text: string): Promise<void> {
  const address = `${stage.url}/sites/example${path}/comments`;
  const page = await (await fetch(address)).text();
  const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const send = () =>
    fetch(address, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'null' },
      body: new URLSearchParams({ form, author, text, website: '' }),
    });
  await expect.poll(async () => (await send()).status, { timeout: 20_000, interval: 1_000 }).toBe(303);
}

type Listed = { id: string; title: string; schedule?: object };

/** The day of the last Sunday of a month that is counted from 0. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return last.getUTCDate() - last.getUTCDay();
}
