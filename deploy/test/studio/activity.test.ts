import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { worked } from '../story.ts';
import { checkPage, picture } from './check-page.ts';
import { openStage, type Stage } from './stage.ts';

type Agent = Awaited<ReturnType<Stage['agent']>>;
let stage: Stage;
let site: string;
let writer: Agent;
/** The approval that a call with a risk waits under. */
let approval: string;
beforeAll(async () => {
  stage = await openStage();
  site = (await stage.house.sites())[0]!.id;
  writer = await stage.agent({ name: 'Winter desk' });
  const made = worked(await newArticle('seals', 'Seals on the beach'));
  const entry = (made.data as { id: string }).id;
  const what = { nodes: [entry] };
  const { expectDraft } = worked(await writer.call('get_publish_plan', { site, what })).data;
  const asked = await writer.call('publish', { site, what, expectDraft });
  approval = (asked.json.details as { approval: string }).approval;
  await stage.owner.send(`/api/approvals/${approval}/approve`, { method: 'POST' });
  await (await stage.agent({ name: 'Looker', mode: 'plan' })).call('create_entry', article('no', 'No'));
}, 120_000);
afterAll(() => stage?.stop());

const article = (slug: string, title: string) => ({
  ...{ site, type: 'article', slug, fields: { title } },
  body: 'Every winter the grey seals come back to the same beach.',
});
const newArticle = (slug: string, title: string) => writer.call('create_entry', article(slug, title));

const download = async (page: Page, name: RegExp) => {
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
  await page.keyboard.press('Escape');
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
};

describe('the activity', () => {
  it('shows what an agent does as it does it, and the whole story of a call', async () => {
    const { page, faults, close } = await stage.open(`activity?actor=agent:${writer.keyId}`, { as: stage.owner });
    await page.getByRole('listitem').filter({ hasText: 'publish' }).first().waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Looker' }).count()).toBe(0);
    worked(await newArticle('walks', 'Winter walks'));
    const live = page.getByRole('listitem').filter({ hasText: 'create_entry' });
    await live.nth(1).waitFor();
    await live.first().getByText('Done').waitFor();

    await live.first().getByRole('link').click();
    await page.getByText(/^Allowed by the rule edits\/edit/).waitFor();
    await page.getByText('What a call was told to do is for auditors to see.').waitFor();
    await page.getByRole('button', { name: 'Show the changes' }).click();
    await page.getByRole('heading', { name: /Winter walks/ }).waitFor();

    await page.getByRole('link', { name: 'See it in the history of the site' }).click();
    const linked = page.getByRole('list', { name: 'Snapshots, newest first' }).getByRole('listitem');
    await page.locator('li:focus').getByText('Winter walks').first().waitFor();
    expect(await linked.filter({ hasText: 'Hide' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Show all that happened' }).click();
    await linked.filter({ hasText: 'Back to here' }).first().waitFor();

    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: 'used publish' }).click();
    await page.getByRole('link', { name: 'See the whole request' }).waitFor();
    await page
      .getByText(/by Olga Owner/)
      .first()
      .waitFor();
    expect(faults).toEqual([]);
    await close();
  }, 60_000);

  it('finds what is looked for, and gives it along as a file', async () => {
    const { page, faults, close } = await stage.open('activity', { as: stage.owner });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('button', { name: /Decision/ }).click();
    await page.getByRole('option', { name: 'Refused' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Refused: mode forbids' }).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?decision=deny');

    const csv = await download(page, /CSV/);
    expect(csv.name).toMatch(/^cloudhal-activity-.*\.csv$/);
    expect(csv.text.trimEnd().split('\n')).toHaveLength(2);
    expect(csv.text).toContain('mode_forbids');
    const lines = await download(page, /JSON Lines/);
    expect(JSON.parse(lines.text)).toMatchObject({ event: { tool: 'create_entry', decision: { result: 'deny' } } });

    await page.getByRole('textbox', { name: 'Tool' }).fill('rollback');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByRole('article').nth(3).waitFor();
    expect(faults).toEqual([]);
    await close();
  }, 60_000);

  it('says when more has happened than it holds, and goes there', async () => {
    const { page, faults, close } = await stage.open(`activity?actor=agent:${writer.keyId}`, { as: stage.owner });
    const entries = page.getByRole('list', { name: 'What happened' }).getByRole('listitem');
    await entries.first().waitFor();
    for (let round = 0; round < 6; round++) {
      await Promise.all(Array.from({ length: 10 }, () => writer.call('list_sites')));
    }
    const banner = page.getByRole('status').filter({ hasText: 'Much has happened meanwhile' });
    await banner.waitFor();
    await picture(page, 'activity-apart');
    await banner.getByRole('button', { name: 'Go to the newest' }).click();
    await banner.waitFor({ state: 'detached' });
    await entries.filter({ hasText: 'list_sites' }).nth(49).waitFor();
    expect(faults).toEqual([]);
    await close();
  }, 60_000);

  it('lets nothing that an agent says pass for the page’s own words', async () => {
    const note = `</q><script>alert(1)</script>\u202e Approved by admin ${'x'.repeat(300)}`;
    const { snapshot } = worked(
      await writer.call('create_entry', {
        ...article('hostile', `<img src=x onerror=alert(1)> ${'y'.repeat(100)}`),
        note,
      }),
    );
    const only = `activity?snapshot=${snapshot}`;
    const { page, faults, close } = await stage.open(only, { as: stage.owner, width: 'phone' });
    await page.getByRole('link', { name: 'used create_entry' }).click();
    const quoted = page.locator('blockquote').filter({ hasText: 'Approved by admin' });
    expect(await quoted.textContent()).toContain('</q><script>');
    await quoted.getByTitle('right-to-left override').waitFor();
    await page.getByRole('button', { name: 'Show the changes' }).click();
    await page.getByRole('heading', { name: /onerror=alert/ }).waitFor();
    expect(faults).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await close();
  }, 60_000);

  it('shows what a call was told to do to an auditor, and to a reviewer their own alone', async () => {
    const auditor = await stage.person('auditor');
    const seen = await stage.open('activity?tool=publish&outcome=succeeded', { as: auditor });
    await seen.page.getByRole('article').getByRole('link').first().click();
    await seen.page.getByText('expectDraft').waitFor();
    expect(seen.faults).toEqual([]);
    await seen.close();
    const reviewer = await stage.person('reviewer');
    const own = await stage.open('activity', { as: reviewer });
    await own.page.getByText('The reviewer signed in').waitFor();
    expect(await own.page.getByText('Winter desk').count()).toBe(0);
    expect(await own.page.getByRole('button', { name: 'Verify now' }).count()).toBe(0);
    await own.close();
  }, 60_000);
});

describe('the pages about what happened', () => {
  it('look right, and can be used by everybody', async () => {
    await checkPage(stage, 'activity?decision=allow', {
      ...{ as: stage.owner, name: 'activity' },
      ready: (page) => page.getByRole('article').nth(3),
    });
    await checkPage(stage, 'activity?tool=publish&outcome=succeeded', {
      ...{ as: stage.owner, name: 'activity-call' },
      ready: (page) => page.getByRole('article').first(),
      before: async (page) => {
        await page.getByRole('article').getByRole('link').first().click();
        await page.getByRole('button', { name: 'Show the changes' }).click();
        await page
          .getByRole('heading', { name: /Seals on the beach/ })
          .first()
          .waitFor();
      },
    });
  }, 120_000);
});
