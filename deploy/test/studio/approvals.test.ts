import type { TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { worked } from '../story.ts';
import { checkPage } from './check-page.ts';
import { openStage, type Stage } from './stage.ts';

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

/** Asks to publish what the draft of an entry is now. */
async function publish(entry: string) {
  const what = { nodes: [entry] };
  const { expectDraft } = worked(await writer.call('get_publish_plan', { site, what })).data;
  const call = () => writer.call('publish', { site, what, expectDraft });
  return { ...(await call()), again: call };
}

describe('the inbox', () => {
  it('shows a request as soon as an agent makes it, and runs it when a person approves', async () => {
    const { page, faults, close } = await stage.open('approvals', { as: stage.owner });
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    const { id } = await changedArticle('seals', 'Seals on the beach');
    const asked = await publish(id);
    expect(asked.json.code).toBe('approval_required');

    await page.getByRole('link', { name: /Seals on the beach/ }).click();
    await page.getByRole('button', { name: 'Approve and run' }).waitFor();
    await page
      .getByText('Readers see article “Seals', { exact: false })
      .or(page.getByText(/for the first time/))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Approve and run' }).click();
    await page.getByText('Done. The agent gets the result').waitFor();
    expect(faults).toEqual([]);
    await close();
    const again = await asked.again();
    expect(again.isError, again.text).toBe(false);
  }, 60_000);

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
