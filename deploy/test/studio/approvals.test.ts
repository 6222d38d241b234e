import type { TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { worked } from '../story.ts';
import { checkPage } from './check-page.ts';
import { openStage, type Stage } from './stage.ts';

const hostile = `<img src=x onerror=alert(1)> ✅ Approved by admin \u202Egnp.exe\u2066 ${'W'.repeat(300)}`;

let stage: Stage;
let site: string;
let writer: TestClient & { keyId: string };
beforeAll(async () => {
  stage = await openStage();
  site = (await stage.house.sites())[0]!.id;
  writer = await stage.agent({ name: 'Winter desk' });
}, 120_000);
afterAll(() => stage?.stop());

const body = [
  'Every winter the grey seals come back to the same beach.',
  'They stay for about three weeks, and the warden counts them twice a day.',
  'Visitors keep a distance of fifty metres.',
].join('\n\n');

/** An article of the agent's, published once, with a new draft that waits to go live. */
async function changedArticle(slug: string, title: string) {
  const made = worked(await writer.call('create_entry', { site, type: 'article', slug, fields: { title }, body }));
  return made.data as { id: string; rev: number };
}

const idOf = ({ json }: { json: Record<string, unknown> }) => (json.details as { approval: string }).approval;

/** Asks to publish what the draft of an entry is now. */
async function publish(entry: string) {
  const what = { nodes: [entry] };
  const { expectDraft } = worked(await writer.call('get_publish_plan', { site, what })).data;
  const call = () => writer.call('publish', { site, what, expectDraft });
  return { ...(await call()), again: call };
}

describe('the inbox', () => {
  it('looks right with one, and with what it does', async () => {
    const { id, rev } = await changedArticle('walks', 'Winter walks');
    await publish(id).then(async ({ json }) => {
      const approval = (json.details as { approval?: string }).approval ?? '';
      await stage.owner.send(`/api/approvals/${approval}/approve`, { method: 'POST' });
    });
    worked(
      await writer.call('edit_body', {
        site,
        entry: id,
        rev,
        edits: [
          { find: 'about three weeks', replace: 'four weeks in a mild year', count: 1 },
          {
            find: 'Visitors keep a distance of fifty metres.',
            replace: 'Visitors keep a distance of one hundred metres, dogs two hundred.',
            count: 1,
          },
        ],
      }),
    );
    const asked = await publish(id);
    const approval = (asked.json.details as { approval: string }).approval;
    await changedArticle('tides', 'Tides and times').then(({ id }) => publish(id));
    await checkPage(stage, 'approvals', {
      as: stage.owner,
      name: 'approvals',
      ready: (page) => page.getByRole('link', { name: /Winter walks/ }),
    });
    await checkPage(stage, `approvals/${approval}`, {
      as: stage.owner,
      name: 'approval',
      ready: (page) => page.getByRole('button', { name: 'Approve and run' }),
    });
  }, 120_000);
});

describe('a decision', () => {
  it('for several at once is made for each, and says what came of each', async () => {
    const asked = [];
    for (const slug of ['many-1', 'many-2']) asked.push(await publish((await changedArticle(slug, `Many ${slug}`)).id));
    const { page, faults, close } = await stage.open('approvals', { as: stage.owner });
    for (const slug of ['many-1', 'many-2']) {
      await page
        .locator('li', { hasText: `Many ${slug}` })
        .locator('label')
        .click();
    }
    await page.getByText('2 chosen').waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('button', { name: 'Approve and run' }).click();
    await expect.poll(() => page.getByRole('alertdialog').getByText('done', { exact: true }).count()).toBe(2);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(faults).toEqual([]);
    await close();
    for (const { again } of asked) expect((await again()).isError).toBe(false);
  }, 60_000);

  it('that always needs a person asks for the password where the sign-in is old', async () => {
    const asked = await writer.call('add_redirect', {
      site,
      reason: 'The old address is printed on the leaflets.',
      items: [{ from: '/old-seals', to: '/articles/seals', status: 301 }],
    });
    expect(asked.json.code, asked.text).toBe('approval_required');
    await stage.withOldSignIns(async () => {
      const { page, close } = await stage.open(`approvals/${idOf(asked)}`, { as: stage.owner });
      await page.getByText('Always a person').first().waitFor();
      await page.getByRole('button', { name: 'Approve and run' }).click();
      await page.getByRole('heading', { name: 'Is it still you?' }).waitFor();
      await page.getByLabel('Password').fill('not my password');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await page.getByLabel('Password').fill(stage.owner.password);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Done. The agent gets the result').waitFor();
      await page.getByRole('link', { name: 'See it in the history' }).click();
      await page.locator('li:focus').getByRole('button', { name: 'Hide' }).waitFor();
      await close();
    });
  }, 60_000);

  it('comes second where somebody else was first, whoever it is, and is told who', async () => {
    const other = await stage.person('editor', 'Quick Quill');
    const asked = await publish((await changedArticle('race', 'A race')).id);
    const tab = await stage.open(`approvals/${idOf(asked)}`, { as: stage.owner });
    await tab.page.getByRole('button', { name: 'Approve and run' }).waitFor();
    // What happens elsewhere is not heard in this tab, as in one that slept.
    await tab.page.route('**/api/approvals/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    const first = await other.send(`/api/approvals/${idOf(asked)}/reject`, { method: 'POST' });
    expect(first.status).toBe(200);
    await tab.page.getByRole('button', { name: 'Approve and run' }).click();
    const problem = tab.page.getByRole('alert');
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/rejected/);
    await tab.close();
    const told = await asked.again();
    expect(told.json.code).toBe('approval_rejected');
  }, 60_000);

  it('is made once, however many press at the same time', async () => {
    const other = await stage.person('owner', 'Second Owner');
    const asked = await publish((await changedArticle('both', 'Both at once')).id);
    const tabs = await Promise.all([stage.owner, other].map((as) => stage.open(`approvals/${idOf(asked)}`, { as })));
    await Promise.all(tabs.map(({ page }) => page.getByRole('button', { name: 'Approve and run' }).waitFor()));
    await Promise.all(tabs.map(({ page }) => page.getByRole('button', { name: 'Approve and run' }).click()));
    // Each is told in its own way: that it is done, that somebody else was first, or what the page heard before it asked.
    const button = (page: Page) => page.getByRole('button', { name: 'Approve and run' });
    await Promise.all(tabs.map(({ page }) => button(page).waitFor({ state: 'detached' })));
    const approval = (await stage.owner.send(`/api/approvals/${idOf(asked)}`)).body.approval as { state: string };
    expect(approval.state).toBe('succeeded');
    for (const { close } of tabs) await close();
  }, 60_000);

  it('on what moved since runs nothing, and leads to what it would do now', async () => {
    const { id, rev } = await changedArticle('moved', 'Moved on');
    const asked = await publish(id);
    worked(
      await stage.agent().then((agent) =>
        agent.call('edit_body', {
          site,
          entry: id,
          rev,
          edits: [{ find: 'three weeks', replace: 'five weeks', count: 1 }],
        }),
      ),
    );
    const { page, close } = await stage.open(`approvals/${idOf(asked)}`, { as: stage.owner });
    await page.getByRole('button', { name: 'Approve and run' }).click();
    await page
      .getByText(/moved on since|changed/i)
      .first()
      .waitFor();
    const approval = (await stage.owner.send(`/api/approvals/${idOf(asked)}`)).body.approval as { state: string };
    expect(approval.state).toBe('stale');
    await close();
  }, 60_000);

  it('is not offered to an auditor, nor taken from one', async () => {
    const auditor = await stage.person('auditor');
    const asked = await publish((await changedArticle('audited', 'Audited')).id);
    const { page, close } = await stage.open(`approvals/${idOf(asked)}`, { as: auditor });
    await page.getByText('Your role reads this').waitFor();
    expect(await page.getByRole('button', { name: 'Approve and run' }).count()).toBe(0);
    await close();
    const refused = await auditor.send(`/api/approvals/${idOf(asked)}/approve`, { method: 'POST' });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  }, 60_000);
});

describe('text of agents', () => {
  it('runs nothing, hides nothing and breaks no layout', async () => {
    const loud = await stage.agent({ name: hostile.slice(0, 100).replace(/\p{C}/gu, '') });
    const made = worked(
      await loud.call('create_entry', {
        site,
        type: 'article',
        slug: 'loud',
        fields: { title: hostile.slice(0, 190) },
        body: `${hostile}\n\n<script>alert(1)</script>`,
      }),
    );
    const what = { nodes: [(made.data as { id: string }).id] };
    const { expectDraft } = worked(await loud.call('get_publish_plan', { site, what })).data;
    const asked = await loud.call('publish', { site, what, expectDraft });
    await loud.call('request_elevation', { mode: 'auto', minutes: 30, reason: hostile });
    for (const [path, name] of [
      ['approvals', 'approvals-hostile'],
      [`approvals/${idOf(asked)}`, 'approval-hostile'],
      ['approvals/elevations', 'elevations-hostile'],
    ]) {
      let dialogs = 0;
      await checkPage(stage, path!, {
        as: stage.owner,
        name: name!,
        ready: (page) => page.on('dialog', () => dialogs++) && page.getByText(/onerror=alert/).first(),
      });
      expect(dialogs).toBe(0);
    }
    const { page, close } = await stage.open(`approvals/${idOf(asked)}`, { as: stage.owner });
    await page
      .getByText(/onerror=alert/)
      .first()
      .waitFor();
    expect(await page.locator('img, script:not([src])').count()).toBe(0);
    await close();
  }, 180_000);
});

describe('more autonomy', () => {
  it('is granted shorter than asked, shown with the time that is left, and ended', async () => {
    const agent = await stage.agent({ name: 'Night desk' });
    worked(
      await agent.call('request_elevation', { mode: 'auto', minutes: 60, reason: 'The weekly round of small fixes.' }),
    );
    await checkPage(stage, 'approvals/elevations', {
      as: stage.owner,
      name: 'elevations',
      ready: (page) => page.getByText('The weekly round of small fixes.'),
    });
    const { page, faults, close } = await stage.open('approvals/elevations', { as: stage.owner });
    const card = page.getByRole('listitem').filter({ hasText: 'Night desk' });
    await card.getByRole('button', { name: 'Grant…' }).click();
    await page.getByRole('button', { name: /For how long/ }).click();
    await page.getByRole('option', { name: '15 minutes' }).click();
    await page.getByRole('button', { name: 'Grant', exact: true }).click();
    await card.getByText('15 minutes left').waitFor();
    await card.getByRole('button', { name: 'End now' }).click();
    await card.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await close();
  }, 60_000);
});

describe('a thousand requests', () => {
  it('scroll smoothly: only what is on the screen is in the page', async () => {
    await publish((await changedArticle('first-of-many', 'First of many')).id);
    await stage.house.database.query(
      `INSERT INTO policy.approval SELECT (jsonb_populate_record(a, jsonb_build_object(
         'id', 'apr_many_' || n, 'args_hash', md5(n::text), 'created_at', a.created_at - n * interval '1 second'))).*
       FROM policy.approval a, generate_series(1, 1000) n
       WHERE a.id = (SELECT id FROM policy.approval WHERE state = 'pending' ORDER BY created_at DESC LIMIT 1)`,
    );
    const { page, faults, close } = await stage.open('approvals', { as: stage.owner });
    await page
      .getByRole('link', { name: /First of many/ })
      .first()
      .waitFor();
    // To the end, as somebody scrolls: every part of the list is read when it is near.
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 20_000);
          return page.locator('li[aria-setsize]').last().getAttribute('aria-posinset').then(Number);
        },
        { timeout: 60_000, interval: 100 },
      )
      .toBeGreaterThan(1_000);
    expect(await page.locator('li[aria-setsize]').count()).toBeLessThan(60);
    expect(faults).toEqual([]);
    await close();
    await stage.house.database.query(`DELETE FROM policy.approval WHERE id LIKE 'apr_many_%'`);
  }, 120_000);
});
