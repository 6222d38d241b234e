import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientId, clientSecret, startOidc } from '@cloudhal/gateway/testing/oidc';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkPage } from './check-page.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let oidc: Awaited<ReturnType<typeof startOidc>>;
const folder = mkdtempSync(join(tmpdir(), 'cloudhal-oidc-'));
beforeAll(async () => {
  stage = await openStage({
    below: '/house',
    async env(url) {
      oidc = await startOidc([`${url}/api/auth/callback/sso`]);
      const secret = join(folder, 'secret');
      writeFileSync(secret, clientSecret);
      return {
        CLOUDHAL_OIDC_ISSUER: oidc.issuer,
        CLOUDHAL_OIDC_CLIENT_ID: clientId,
        CLOUDHAL_OIDC_CLIENT_SECRET_FILE: secret,
        CLOUDHAL_OIDC_NAME: 'Harbour House',
      };
    },
  });
}, 120_000);
afterAll(async () => {
  await stage?.stop();
  await oidc?.stop();
  rmSync(folder, { recursive: true });
});

it('signs in at the provider of the organisation whom an owner invited, and says so to everybody else', async () => {
  await checkPage(stage, 'sign-in', {
    name: 'sign-in-sso',
    ready: (page) => page.getByRole('button', { name: 'Continue with Harbour House' }),
  });
  const somebody = { sub: 'ines', email: 'ines@example.org', email_verified: true, name: 'Ines Invited' };
  oidc.signInAs(somebody);
  const { page, faults, close } = await stage.open('people');
  await page.getByRole('button', { name: 'Continue with Harbour House' }).click();
  await page.getByText('Nobody invited that account').or(page.getByText('The single sign-on did not work')).waitFor();
  await stage.owner.send('/api/people/invitations', {
    method: 'POST',
    body: { role: 'editor', email: somebody.email },
  });
  await page.goto(`${stage.url}/studio/people`);
  await page.getByRole('button', { name: 'Continue with Harbour House' }).click();
  await page.getByRole('heading', { name: 'People' }).waitFor();
  expect(await page.getByRole('banner').textContent()).toContain('Ines Invited');
  expect(page.url()).toBe(`${stage.url}/studio/people`);
  expect(faults).toEqual([]);
  await close();
}, 120_000);

it('joins the account at the provider to the account of who is signed in, who can sign in with it from then on', async () => {
  const editor = await stage.person('editor', 'Petra Password');
  const { email } = editor;
  oidc.signInAs({ sub: 'petra', email, email_verified: true, name: 'Petra at the provider' });
  const goOn = async (page: Page) => {
    await page.getByRole('button', { name: 'Continue with Harbour House' }).click();
    return page.getByRole('banner').filter({ hasText: 'Petra Password' });
  };

  const unknown = await stage.open('account');
  await goOn(unknown.page);
  await unknown.page.getByRole('alert').waitFor();
  expect(new URL(unknown.page.url()).search).toBe('?error=account_not_linked');
  await unknown.close();

  const { page, faults, close } = await stage.open('account', { as: editor });
  await page.getByRole('button', { name: 'Connect Harbour House' }).click();
  await page.waitForResponse((response) => response.url() === `${stage.url}/studio/account`);
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  expect(faults).toEqual([]);
  await close();

  const known = await stage.open('account');
  await (await goOn(known.page)).waitFor();
  await known.close();
}, 60_000);
