import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPage } from './check-page.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  // As in an organisation: not at the root of its host.
  stage = await openStage({ below: '/cloudhal' });
}, 120_000);
afterAll(() => stage?.stop());

describe('Studio', () => {
  it('shows the sign-in to who is not signed in, and goes on to the page that they asked for', async () => {
    await checkPage(stage, 'approvals', {
      name: 'sign-in',
      ready: (page) => page.getByRole('button', { name: 'Sign in' }),
    });
    const { page, faults, close } = await stage.open('nowhere?x=1');
    await page.getByLabel('E-mail address').fill(stage.owner.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('alert')
      .getByText(/password/i)
      .first()
      .waitFor();
    await page.getByLabel('Password').fill(stage.owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    expect(page.url()).toBe(`${stage.url}/studio/nowhere?x=1`);
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('makes the account of who follows an invitation, and keeps the link to itself', async () => {
    const invited = await stage.owner.send('/api/people/invitations', { method: 'POST', body: { role: 'reviewer' } });
    const link = new URL(invited.body.url as string);
    const path = `join${link.search}`;
    await checkPage(stage, path, { name: 'join', ready: (page) => page.getByText('You were invited as reviewer.') });
    const { page, faults, close } = await stage.open(path);
    await page.getByLabel('Name').fill('Rita Reviewer');
    expect(page.url()).not.toContain('token');
    await page.getByLabel('E-mail address').fill('rita@example.org');
    await page.getByLabel('Password').fill('too short');
    await page.getByRole('button', { name: /Make the account/ }).click();
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Password').fill('long enough for anybody');
    await page.getByRole('button', { name: /Make the account/ }).click();
    await page.getByRole('heading', { name: 'Approvals' }).waitFor();
    expect(await page.getByRole('banner').textContent()).toContain('Rita Reviewer');
    expect(faults).toEqual([]);
    await close();
    await checkPage(stage, path, { name: 'join-ended', ready: (page) => page.getByText('This link has ended') });
  }, 120_000);

  it('says where nothing is', async () => {
    await checkPage(stage, 'nowhere', {
      as: stage.owner,
      name: 'not-found',
      ready: (page) => page.getByRole('link', { name: 'Go to Approvals' }),
    });
  }, 120_000);

  it('loads little: its first page comes with less than 250 kB of script, compressed', async () => {
    const { page, close } = await stage.open('approvals', { as: stage.owner });
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    const loaded = await page.evaluate(() => {
      type Entry = { name: string; encodedBodySize: number; decodedBodySize: number };
      const { performance } = globalThis as unknown as { performance: { getEntriesByType(type: string): Entry[] } };
      return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
    });
    const sum = (of: 'encodedBodySize' | 'decodedBodySize') => loaded.reduce((total, entry) => total + entry[of], 0);
    expect(loaded.length).toBeGreaterThan(1);
    expect(sum('encodedBodySize')).toBeLessThan(250_000);
    // They did come compressed.
    expect(sum('decodedBodySize')).toBeGreaterThan(2 * sum('encodedBodySize'));
    await close();
  });

  it('lets the keyboard skip the navigation', async () => {
    const { page, close } = await stage.open('approvals', { as: stage.owner });
    await page.getByRole('heading', { name: 'Approvals' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    await close();
  });

  it('is an inbox that says what will be in it', async () => {
    await checkPage(stage, 'approvals', {
      as: stage.owner,
      name: 'approvals-empty',
      ready: (page) => page.getByRole('heading', { name: 'Nothing waits for you' }),
    });
  }, 120_000);
});
