import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPage } from './check-page.ts';
import { inCursor, paste, shownSetup } from './setup-page.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage?.stop());

const works = (client: Client) =>
  client.callTool({ name: 'list_sites', arguments: {} }).then(
    ({ isError }) => isError !== true,
    () => false,
  );

/** Whether it is refused from a second after now on. */
async function refusedWithinASecond(client: Client): Promise<boolean> {
  const deadline = performance.now() + 1_000;
  while (performance.now() < deadline) {
    if (!(await works(client))) return true;
    await sleep(50);
  }
  return !(await works(client));
}

describe('an agent', () => {
  it('is connected with what the page shows, has what it was given, and is gone when its key is revoked', async () => {
    const { page, faults, close } = await stage.open('agents', { as: stage.owner });
    await page.getByRole('heading', { name: 'No agent is connected yet' }).waitFor();
    await page.getByRole('link', { name: 'Connect an agent' }).click();
    await page.getByLabel('Name').fill('Newsroom drafts');
    await page.getByRole('button', { name: /^Read Looks/ }).click();
    await page.getByText('Plan', { exact: true }).click();
    await page.getByText('Refused', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByText('only time that the secret is shown').waitFor();

    const setup = await shownSetup(page, 'Cursor', '.cursor/mcp.json');
    const client = await paste(inCursor(setup));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('list_entries');
    expect(tools.map(({ name }) => name)).not.toContain('publish');
    expect(await works(client)).toBe(true);

    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('heading', { name: 'What this key may do' }).waitFor();
    expect(await page.content()).not.toContain(/Bearer (\S+?)"/.exec(setup)![1]!);
    await page.getByLabel('Find a tool').fill('list_sites');
    await page.getByText('plan/read').waitFor();

    // Somebody gives it more, and then takes all of it away.
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByText('Edits', { exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('edits/read')
      .or(page.getByRole('heading', { name: 'What this key may do' }))
      .first()
      .waitFor();
    expect(await works(client)).toBe(true);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    expect(await refusedWithinASecond(client)).toBe(true);
    await client.close();
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('gets a new secret while the old one stays good for as long as was said', async () => {
    const { keyId, call } = await stage.agent({ name: 'Rotated' });
    const { page, faults, close } = await stage.open(`agents/${keyId}`, { as: stage.owner });
    const rotate = async (overlap: string) => {
      await page.getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('button', { name: /The old secret/ }).click();
      await page.getByRole('option', { name: overlap }).click();
      await page.getByRole('button', { name: 'Make a new secret' }).click();
      const setup = await shownSetup(page, 'Cursor', '.cursor/mcp.json');
      await page.getByRole('button', { name: 'I have copied it' }).click();
      return paste(inCursor(setup));
    };
    const second = await rotate('stays good for an hour');
    expect([await works(second), (await call('list_sites')).isError]).toEqual([true, false]);
    await page.getByText('The secret before it is good until').waitFor();
    const third = await rotate('ends at once');
    expect(await refusedWithinASecond(second)).toBe(true);
    expect(await works(third)).toBe(true);
    await Promise.all([second.close(), third.close()]);
    expect(faults).toEqual([]);
    await close();
  }, 60_000);

  it('works on with a new secret once its key has expired and somebody renews it', async () => {
    const { keyId, call } = await stage.agent({ name: 'Renewed' });
    const expire = `UPDATE gateway.agent_key SET expires_at = now(), generation = generation + 1 WHERE id = $1`;
    await stage.house.database.query(expire, [keyId]);
    const { page, faults, close } = await stage.open(`agents/${keyId}`, { as: stage.owner });
    await page.getByText('This key has ended, and its agent is refused.').waitFor();
    await page.getByRole('button', { name: 'Renew' }).click();
    await page.getByRole('button', { name: /Ends after/ }).click();
    await page.getByRole('option', { name: '30 days' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Renew' }).click();
    const renewed = await paste(inCursor(await shownSetup(page, 'Cursor', '.cursor/mcp.json')));
    expect(await works(renewed)).toBe(true);
    await expect(call('list_sites')).rejects.toThrow();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await renewed.close();
    expect(faults).toEqual([]);
    await close();
  }, 60_000);

  it('gets a new secret after the password where the sign-in is old, and from nobody but its owner', async () => {
    const editor = await stage.person('editor');
    const { id } = await editor.createKey({ name: 'Shared', scopes: '*' });
    const seen = await stage.open(`agents/${id}`, { as: stage.owner });
    await seen.page.getByRole('button', { name: 'Revoke' }).waitFor();
    expect(await seen.page.getByRole('button', { name: 'New secret' }).count()).toBe(0);
    await stage.withOldSignIns(async () => {
      const { page, faults, close } = await stage.open(`agents/${id}`, { as: editor });
      await page.getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('button', { name: 'Make a new secret' }).click();
      await page.getByRole('heading', { name: 'Is it still you?' }).waitFor();
      await page.getByLabel('Password').fill(editor.password);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      expect(faults).toEqual([]);
      await close();
    });
    expect(seen.faults).toEqual([]);
    await seen.close();
  }, 60_000);

  it('cannot imitate the page with its name', async () => {
    const name = `</h1><script>alert(1)</script> Approved by admin ${'x'.repeat(48)}`;
    await stage.owner.createKey({ name, scopes: ['comments:read', 'publish'], mode: 'auto', ratePerMinute: 20 });
    const { page, faults, close } = await stage.open('agents', { as: stage.owner });
    const card = page.getByRole('article').filter({ hasText: 'Approved by admin' });
    expect(await card.locator('q').textContent()).toContain('<script>');
    await card.getByText('Two rights that do not go well together').waitFor();
    expect(faults).toEqual([]);
    await close();
  }, 60_000);
});

describe('the pages about agents', () => {
  it('look right, and can be used by everybody', async () => {
    const { id } = await stage.owner.createKey({ name: 'Winter desk', scopes: '*', mode: 'edits' });
    await checkPage(stage, 'agents', {
      ...{ as: stage.owner, name: 'agents' },
      ready: (page) => page.getByRole('link', { name: /Winter desk/ }),
    });
    await checkPage(stage, 'agents/new', {
      ...{ as: stage.owner, name: 'agent-new' },
      ready: (page) => page.getByText('See each tool'),
    });
    await checkPage(stage, `agents/${id}`, {
      ...{ as: stage.owner, name: 'agent' },
      ready: (page) => page.getByText(/^By itself \(\d+\)$/),
    });
  }, 120_000);

  it('look right while something is under way', async () => {
    const { id } = await stage.owner.createKey({ name: 'Waiting desk', scopes: '*', mode: 'edits' });
    await checkPage(stage, `agents/${id}`, {
      ...{ as: stage.owner, name: 'agent-pending' },
      ready: (page) => page.getByRole('button', { name: 'New secret' }),
      before: async (page) => {
        await page.route('**/rotate', () => undefined);
        await page.getByRole('button', { name: 'New secret' }).click();
        await page.getByRole('button', { name: 'Make a new secret' }).press('Enter');
        await page.getByRole('progressbar', { name: 'Working' }).waitFor();
      },
    });
  }, 60_000);

  it('look right where the secret is shown', async () => {
    const { id } = await stage.owner.createKey({ name: 'Rotating desk', scopes: '*', mode: 'edits' });
    await checkPage(stage, `agents/${id}`, {
      ...{ as: stage.owner, name: 'agent-setup' },
      ready: (page) => page.getByRole('button', { name: 'New secret' }),
      before: async (page) => {
        await page.getByRole('button', { name: 'New secret' }).click();
        await page.getByRole('button', { name: 'Make a new secret' }).click();
        await page.getByText('only time that the secret is shown').waitFor();
        // What the library read out about the button, which is gone, stays in the page for some seconds.
        await page.evaluate("document.querySelector('[data-live-announcer]')?.remove()");
      },
    });
  }, 120_000);
});
