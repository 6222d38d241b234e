import type { TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { photograph, plainPng } from '@cloudhal/tool-service/media/testing/pictures';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

type Section = { id: string; type: string; props: Record<string, unknown> };
type SitePage = { id: string; rev: number; path: string; title: string; sections: Section[] };

const hostile = '<img src=x onerror="document.title=1"> \u202Edetrevni';

const read = async (page: string) =>
  worked(await agent.call('get_page', { site, page })).data as unknown as SitePage & { seo?: object };
const sectionsOf = async (page: string) => (await read(page)).sections.map(({ type, props }) => ({ type, props }));

async function make(slug: string, title: string, sections: Omit<Section, 'id'>[]): Promise<SitePage> {
  const { id } = worked(await agent.call('create_page', { site, path: `/${slug}`, title, sections })).data;
  return read(id as string);
}

/** An agent changes one section of a page. */
async function change(page: string, index: number, set: object): Promise<void> {
  const { rev, sections } = await read(page);
  worked(await agent.call('update_section', { site, page, rev, section: sections[index]!.id, set }));
}

async function write(slug: string, title: string, body = 'Words.') {
  const made = worked(await agent.call('create_entry', { site, type: 'article', slug, fields: { title }, body }));
  return made.data as { id: string; rev: number };
}

async function newest(): Promise<string> {
  const { snapshots } = worked(await agent.call('list_snapshots', { site, limit: 1 })).data;
  return (snapshots as { id: string }[])[0]!.id;
}

/** It is done, and the server's word of it does not arrive. */
const loseAnswer = async (route: Route) => {
  await route.fetch();
  await route.abort();
};

const row = (page: Page, number: number) =>
  page
    .getByRole('list', { name: 'Sections of this page' })
    .locator(':scope > li')
    .nth(number - 1);
const saved = (page: Page) => page.getByText('Saved. Readers see it once it is published.').first().waitFor();

const boats = [
  { type: 'hero', props: { heading: 'Boats of the harbour', text: 'Nine of them, and where they go.' } },
  { type: 'text', props: { markdown: '## How to find us\n\nFollow the quay.\n\nTurn left.\n\nRing the bell.' } },
  { type: 'cards', props: { heading: 'The fleet', items: [{ title: 'Ada' }, { title: 'Grace', href: '/about' }] } },
  { type: 'quote', props: { text: hostile, source: 'A stranger' } },
];

describe('a page', () => {
  it('looks right, with its sections, a form of one, and a conflict', async () => {
    const upload = { filename: 'quay.jpg', base64: (await photograph()).toString('base64'), alt: 'The quay' };
    const asset = worked(await agent.call('upload_asset', { site, ...upload })).data.id;
    const { id } = await make('fleet', 'Our fleet', [...boats, { type: 'image', props: { asset } }]);
    const path = `sites/${site}/pages/${id}`;
    const ready = (page: Page) => page.getByText('The fleet');
    await checkPage(stage, path, {
      as: editor,
      name: 'site-page',
      ready,
      async before(page) {
        await row(page, 3).getByRole('button', { name: 'Edit' }).click();
        await page.getByRole('textbox', { name: 'Heading' }).waitFor();
        await page.locator('img').first().waitFor();
      },
    });
    await checkPage(stage, path, {
      as: editor,
      name: 'add-section',
      ready,
      async before(page) {
        await page.getByRole('button', { name: 'Add a section' }).click();
        await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByLabel('Heading').waitFor();
      },
    });
    await checkPage(stage, path, {
      as: editor,
      name: 'choose-picture',
      ready,
      async before(page) {
        await row(page, 5).getByRole('button', { name: 'Edit' }).click();
        await page.getByRole('button', { name: 'Choose another…' }).click();
        await page.getByRole('listbox', { name: 'Pictures of this site' }).locator('img').waitFor();
      },
    });
    let times = 0;
    await checkPage(stage, path, {
      as: editor,
      name: 'section-conflict',
      ready,
      async before(page) {
        await row(page, 1).getByRole('button', { name: 'Edit' }).click();
        await page.getByRole('textbox', { name: 'Heading' }).fill('Boats of ours');
        await change(id, 0, { heading: `Boats of theirs ${++times}` });
        await page.getByText('You both changed the same part.').waitFor();
        await page.getByText('Winter desk').first().waitFor();
      },
    });
  }, 240_000);

  it('is built by a person: made, filled, put in order, and described', async () => {
    const { page, faults, close } = await stage.open(`sites/${site}/pages`, { as: editor });
    await page.getByRole('button', { name: 'New page' }).click();
    await page.getByLabel('Title').fill('Contact');
    await page.getByRole('button', { name: 'Make the page' }).click();
    await page.getByText('Nothing is on this page yet').waitFor();

    // A choice of types with what each is for, and a form that follows from it.
    await page.getByRole('button', { name: 'Add a section' }).click();
    await page.getByRole('button', { name: /What it is/ }).click();
    await page.getByRole('option', { name: /Call to action/ }).click();
    await page.getByLabel('Text', { exact: true }).fill('Write to us.');
    await page.getByLabel('Label').fill('By mail');
    await page.getByLabel('Address', { exact: true }).fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Add it' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Address', { exact: true }).fill('mailto:desk@example.org');
    await page.getByRole('button', { name: 'Add it' }).click();
    await row(page, 1).getByText('Write to us.').waitFor();

    await page.getByRole('button', { name: 'Add a section' }).click();
    await page.getByRole('button', { name: /What it is/ }).click();
    await page.getByRole('option', { name: /Cards/ }).click();
    for (const [index, title] of ['Office', 'Quay'].entries()) {
      await page.getByRole('button', { name: 'Add one: Items' }).click();
      await page
        .getByRole('group', { name: `Items, ${index + 1}` })
        .getByLabel('Title')
        .fill(title);
    }
    await page.getByRole('button', { name: 'Move up: Items, 2' }).click();
    await page.getByRole('button', { name: 'Add it' }).click();
    await row(page, 2).getByText('2 items').waitFor();

    await page.getByRole('button', { name: 'Add a section' }).click();
    await page.getByRole('button', { name: /What it is/ }).click();
    await page.getByRole('option', { name: /Image/ }).click();
    await page.getByRole('button', { name: /Where it goes/ }).click();
    await page.getByRole('option', { name: 'Before 2: Cards' }).click();
    await page.getByRole('button', { name: 'Choose a picture…' }).click();
    await page.getByRole('option', { name: 'quay.jpg' }).click();
    await page.getByRole('img', { name: 'The chosen picture' }).waitFor();
    await page.getByRole('button', { name: 'Add it' }).click();
    await row(page, 3).getByText('2 items').waitFor();
    await row(page, 2).getByRole('button', { name: 'Take out: 2, Image' }).click();
    await page.getByRole('button', { name: 'Take it out' }).click();
    await row(page, 2).getByText('2 items').waitFor();

    await page.getByRole('button', { name: 'Add a section' }).click();
    await page.getByRole('button', { name: /What it is/ }).click();
    await page.getByRole('option', { name: /Entries/ }).click();
    await page.getByRole('button', { name: /Content type/ }).click();
    await page.getByRole('option', { name: /Article/ }).click();
    await page.getByLabel('Limit').fill('3');
    await page.getByRole('button', { name: 'Add it' }).click();
    await row(page, 3).getByText('article').waitFor();
    expect((await sectionsOf('/contact'))[2]).toEqual({ type: 'entries', props: { type: 'article', limit: 3 } });
    await row(page, 3).getByRole('button', { name: 'Take out: 3, Entries' }).click();
    await page.getByRole('button', { name: 'Take it out' }).click();
    await expect.poll(() => sectionsOf('/contact')).toHaveLength(2);

    // By keyboard alone; the focus goes along.
    await row(page, 2).getByRole('button', { name: 'Move up: 2, Cards' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Cards is number 1 of 2 now.').waitFor();
    await row(page, 1).getByText('2 items').waitFor();
    const focused = () => page.locator(':focus').getAttribute('aria-label');
    await expect.poll(focused).toBe('Move down: 1, Cards');

    await page.getByLabel('Title', { exact: true }).fill('Contact us');
    await page.getByLabel('Description for search engines').fill('How to reach the desk.');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await saved(page);
    await page.getByRole('button', { name: 'Change the address…' }).click();
    await page.getByLabel('Last part of its address').fill('reach-us');
    await page.getByRole('button', { name: 'Change the address', exact: true }).click();
    await page.getByText('/reach-us').first().waitFor();

    const made = await read('/reach-us');
    expect(made).toMatchObject({ title: 'Contact us', seo: { description: 'How to reach the desk.' } });
    expect(await sectionsOf(made.id)).toEqual([
      { type: 'cards', props: { items: [{ title: 'Quay' }, { title: 'Office' }] } },
      {
        type: 'call_to_action',
        props: { text: 'Write to us.', link: { label: 'By mail', href: 'mailto:desk@example.org' } },
      },
    ]);

    await row(page, 2).getByRole('button', { name: 'Take out: 2, Call to action' }).click();
    await page.getByRole('button', { name: 'Take it out' }).click();
    await expect.poll(() => sectionsOf(made.id)).toHaveLength(1);
    // Each of these was one snapshot in the person's name.
    const { revisions } = worked(await agent.call('get_node_history', { site, node: made.id })).data;
    expect((revisions as { tool: string; actor: string }[]).map(({ tool, actor }) => [tool, actor]).reverse()).toEqual(
      [
        'create_page',
        ...['add_section', 'add_section', 'add_section', 'remove_section', 'add_section', 'remove_section'],
        ...['move_section', 'update_page', 'move_page', 'remove_section'],
      ].map((tool) => [tool, 'Edda Editor']),
    );
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('gets a section once, also where the first answer to it is lost', async () => {
    const { id } = await make('once', 'Once', []);
    const { page, close } = await stage.open(`sites/${site}/pages/${id}`, { as: editor });
    const dialog = page.getByRole('alertdialog', { name: 'Add a section' });
    const words = dialog.getByRole('textbox', { name: 'Text', exact: true });
    const addLosing = async (text: string) => {
      await page.getByRole('button', { name: 'Add a section' }).click();
      await dialog.getByRole('button', { name: /What it is/ }).click();
      await page.getByRole('option', { name: /^Text/ }).click();
      await words.fill(text);
      await page.route('**/api/tools/add_section', loseAnswer, { times: 1 });
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await dialog.getByText('Studio could not reach the server.').waitFor();
    };
    const there = async () => (await sectionsOf(id)).map(({ props }) => props.markdown);

    await addLosing('Nine boats.');
    await page.locator('li', { hasText: 'Nine boats.' }).waitFor();
    await dialog.getByRole('button', { name: 'Add it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await there()).toEqual(['Nine boats.']);

    // What is written on after that was not sent: it is not thrown away as if it were.
    await addLosing('Ten boats.');
    await page.locator('li', { hasText: 'Ten boats.' }).waitFor();
    await words.fill('Eleven boats.');
    for (const _ of ['pressed', 'pressed again']) {
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await dialog.getByText('It is on this page already, as you wrote it first', { exact: false }).waitFor();
    }
    expect(await words.inputValue()).toBe('Eleven boats.');
    expect(await there()).toEqual(['Nine boats.', 'Ten boats.']);
    await close();
  }, 60_000);

  it('is worked on by a person and an agent: nothing of either is lost', async () => {
    const { id } = await make('side-by-side', 'Side by side', boats);
    const { page, faults, close } = await stage.open(`sites/${site}/pages/${id}`, { as: editor });
    const text = page.getByLabel('Text', { exact: true });
    await row(page, 2).getByRole('button', { name: 'Edit' }).click();
    await text.fill((await text.inputValue()).replace('Turn left', 'Turn right'));

    // Another section changed: no conflict, and what was written is saved on top.
    await change(id, 0, { heading: 'Boats, all of them' });
    await row(page, 1).getByText('Boats, all of them').waitFor();
    await page.getByRole('button', { name: 'Save the draft' }).first().click();
    await saved(page);

    // Other lines of the same text: both fit.
    await text.fill((await text.inputValue()).replace('Ring the bell', 'Knock'));
    const before = String((await sectionsOf(id))[1]!.props.markdown);
    await change(id, 1, { markdown: before.replace('How to find us', 'The way') });
    await page.getByText('You changed different parts, so both fit.').waitFor();
    await page.getByRole('button', { name: 'Put my changes into theirs' }).click();
    await page.getByRole('button', { name: 'Save the draft' }).first().click();
    await saved(page);
    expect((await sectionsOf(id))[1]!.props.markdown).toBe('## The way\n\nFollow the quay.\n\nTurn right.\n\nKnock.');

    // An agent takes out what a person is changing: their words are kept, and go back where they were.
    await text.fill('My own way.');
    const { rev, sections } = await read(id);
    worked(await agent.call('remove_section', { site, page: id, rev, section: sections[1]!.id }));
    await page.getByText('Somebody took out a section that you were changing').waitFor();
    await page.getByText('My own way.').first().waitFor();
    // The first answer is lost on its way: who presses again does not have it there twice.
    const back = page.getByRole('button', { name: 'Put it back with my changes' });
    await page.route('**/api/tools/add_section', loseAnswer, { times: 1 });
    await back.click();
    await page.getByText('Studio could not reach the server.').waitFor();
    await row(page, 2).getByText('My own way.').waitFor();
    await back.click();
    await back.waitFor({ state: 'detached' });
    const there = (await sectionsOf(id)).map(({ type }) => type);
    expect(there).toEqual(['hero', 'text', 'cards', 'quote']);
    expect((await sectionsOf(id))[1]).toEqual({ type: 'text', props: { markdown: 'My own way.' } });

    // A move of what is not so any more is refused, said, and not done.
    await page.route('**/api/events', (route) => route.abort());
    await page.route('**/api/tools/get_page', (route) => route.abort());
    await change(id, 0, { heading: 'Boats again' });
    const refused = page.waitForResponse('**/api/tools/move_section');
    await row(page, 1)
      .getByRole('button', { name: /Move down/ })
      .click();
    expect((await (await refused).json()).code).toBe('rev_conflict');
    // The focus stays where the person went on, also once the page as it is now arrives.
    const add = page.getByRole('button', { name: 'Add a section' });
    await add.focus();
    await page.unroute('**/api/tools/get_page');
    await page.getByText('Somebody changed this page in the meantime, so nothing was done.').waitFor();
    await row(page, 1).getByText('Boats again').waitFor();
    expect(await add.evaluate((button) => button.matches(':focus'))).toBe(true);
    expect((await sectionsOf(id))[0]!.type).toBe('hero');
    expect(await page.title()).toBe('Sites · Cloudhal');
    expect(faults.filter((fault) => !/ERR_FAILED|EventSource/.test(fault))).toEqual([]);
    await close();
  }, 120_000);
});

describe('an entry', () => {
  it('gets its picture by sight', async () => {
    const { id } = await write('pictured', 'Pictured');
    const { page, close } = await stage.open(`sites/${site}/entries/${id}`, { as: editor });
    await page.getByRole('group', { name: 'Lead image' }).getByRole('button', { name: 'Choose a picture…' }).click();
    await page.getByRole('option', { name: 'quay.jpg' }).click();
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await saved(page);
    const { fields } = worked(await agent.call('get_entry', { site, entry: id })).data as { fields: object };
    expect(fields).toMatchObject({ leadImage: expect.stringMatching(/^as_/) });
    await close();
  }, 60_000);
});

describe('the trash', () => {
  it('takes what a person deletes, once they know what it breaks, and gives it back', async () => {
    const gone = await write('old-timetable', `Old timetable ${hostile}`);
    const kept = await write('see-also', 'See also', 'The [old one](/articles/old-timetable).');
    const above = await make('archive', 'Archive', []);
    const below = await make('archive/2025', 'Archive of 2025', []);
    const { page, faults, close } = await stage.open(`sites/${site}/entries/${gone.id}`, { as: editor });
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete this entry?' });
    await dialog.getByRole('listitem').filter({ hasText: 'links to it' }).waitFor();
    await dialog.getByRole('link', { name: /See also/ }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete it' }).isDisabled()).toBe(true);
    await picture(page, 'delete-dialog');
    await dialog.getByText('Delete it all the same').click();
    await dialog.getByRole('button', { name: 'Delete it' }).click();

    const entries = page.getByRole('list', { name: 'Entries' });
    const deleted = entries.getByRole('listitem').filter({ hasText: 'Old timetable' });
    await deleted.getByText('Edda Editor').waitFor();
    expect(await deleted.textContent()).not.toContain('\u202E');
    worked(await agent.call('get_entry', { site, entry: kept.id }));
    await deleted.getByRole('button', { name: /Bring back/ }).click();
    await page.getByText('It is back, as a draft.').waitFor();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByRole('heading', { level: 1, name: /Old timetable/ }).waitFor();

    // What readers see goes off the site with it.
    const ferry = '/articles/the-ferry-is-back';
    const { id } = worked(await agent.call('get_entry', { site, entry: ferry })).data;
    const status = async () => (await fetch(`${stage.url}/sites/example${ferry}`)).status;
    expect(await status()).toBe(200);
    await page.goto(`${stage.url}/studio/sites/${site}/entries/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByText('Readers see it. They do not any more').waitFor();
    await page.getByRole('button', { name: 'Take it off the site and delete it' }).click();
    await entries.getByRole('listitem').filter({ hasText: 'The ferry is back' }).waitFor();
    expect(await status()).toBe(404);

    // What holds a page is said before, and by the server where it changed since.
    await page.goto(`${stage.url}/studio/sites/${site}/pages/${above.id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByText('is a page under it').waitFor();
    await page.getByText('It cannot be deleted as long as it is so.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete it' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();

    // What links to it since the page looked is the server's to say.
    const lone = await write('lone', 'A lone note');
    await page.goto(`${stage.url}/studio/sites/${site}/entries/${lone.id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    const note = page.getByRole('alertdialog', { name: 'Delete this entry?' });
    await expect.poll(() => note.getByRole('button', { name: 'Delete it' }).isEnabled()).toBe(true);
    await page.route('**/api/tools/get_backlinks', (route) => route.abort());
    await write('company', 'Company', 'See the [note](/articles/lone).');
    await note.getByRole('button', { name: 'Delete it' }).click();
    await note.getByRole('alert').getByText('is still used by', { exact: false }).waitFor();
    await page.unroute('**/api/tools/get_backlinks');

    // A page comes back below the one above it, which has to be there first.
    for (const { id: gonePage, rev } of [below, above]) {
      const args = { site, page: gonePage, rev };
      const { status: said } = await editor.send('/api/tools/delete_page', {
        method: 'POST',
        body: { arguments: args },
      });
      expect(said).toBe(200);
    }
    await page.goto(`${stage.url}/studio/sites/${site}/trash`);
    await page.getByRole('button', { name: 'Bring back: Archive of 2025' }).click();
    await page.getByRole('alert').getByText('to be restored first', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Bring back: Archive', exact: true }).click();
    await page.getByText('It is back, as a draft.').waitFor();
    await page.getByRole('button', { name: 'Bring back: Archive of 2025' }).click();
    await expect.poll(() => page.getByRole('button', { name: /Bring back: Archive/ }).count()).toBe(0);
    expect((await read('/archive/2025')).id).toBe(below.id);

    const about = await read('/about');
    await page.goto(`${stage.url}/studio/sites/${site}/pages/${about.id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByText('Readers see it. Take it off the site first').waitFor();
    expect(await page.getByRole('button', { name: 'Delete it' }).isDisabled()).toBe(true);
    expect(faults.filter((fault) => !/ERR_FAILED/.test(fault))).toEqual([]);
    await close();
  }, 120_000);

  it('says who deleted what of every kind, and shows a role that only reads no way to change it', async () => {
    const { id: entry, rev } = await write('fog', 'Fog on the quay');
    const page = await make('lost', 'Lost and found', boats);
    const upload = { filename: 'fog.png', base64: (await plainPng(60, 40)).toString('base64'), alt: 'Fog' };
    const asset = worked(await agent.call('upload_asset', { site, ...upload })).data.id as string;
    const call = (person: Person, tool: string, args: object) =>
      person.send(`/api/tools/${tool}`, { method: 'POST', body: { arguments: { site, ...args } } });
    for (const [tool, args] of [
      ['delete_entry', { entry, rev }],
      ['delete_page', { page: page.id, rev: page.rev }],
    ] as const) {
      expect((await call(stage.owner, tool, args)).status).toBe(200);
    }

    const media = await stage.open(`sites/${site}/media`, { as: editor });
    await media.page.getByRole('button', { name: 'Delete: fog.png' }).click();
    await media.page.getByRole('button', { name: 'Delete it' }).click();
    await expect.poll(async () => (await agent.call('get_asset', { site, asset })).text).toContain('not_found');
    await media.close();

    await checkPage(stage, `sites/${site}/trash`, {
      as: editor,
      name: 'site-trash',
      ready: (shown) => shown.getByText('fog.png'),
    });

    const reviewer = await stage.person('reviewer', 'Rea Reviewer');
    const reading = await stage.open(`sites/${site}/trash`, { as: reviewer });
    await reading.page.getByText('Fog on the quay').waitFor();
    await reading.page.getByText('Lost and found').waitFor();
    expect(await reading.page.getByRole('button', { name: /Bring back/ }).count()).toBe(0);
    const at = await read('/about');
    await reading.page.goto(`${stage.url}/studio/sites/${site}/pages/${at.id}`);
    await reading.page.getByRole('button', { name: 'Show 1' }).first().click();
    await reading.page.getByText('Your role reads this.', { exact: false }).waitFor();
    expect(await reading.page.getByRole('button', { name: /Save|Add|Edit|Move|Take|Delete|address/ }).count()).toBe(0);
    await reading.close();

    const section = at.sections[0]!.id;
    const before = await newest();
    const its = { page: at.id, rev: at.rev };
    for (const [tool, args] of [
      ['add_section', { ...its, type: 'quote', props: { text: 'No' } }],
      ['update_section', { ...its, section, set: {} }],
      ['move_section', { ...its, section, position: { index: 0 } }],
      ['remove_section', { ...its, section }],
      ['update_page', { ...its, set: { title: 'No' } }],
      ['move_page', { ...its, slug: 'no' }],
      ['create_page', { title: 'No' }],
      ['delete_page', its],
      ['delete_asset', { asset, rev: 1 }],
      ['restore_node', { node: entry, from: 'trash' }],
    ] as const) {
      const { status, body } = await call(reviewer, tool, args);
      expect([tool, status, body.code]).toEqual([tool, 403, 'scope_missing']);
    }
    expect(await newest()).toBe(before);
  }, 180_000);
});
