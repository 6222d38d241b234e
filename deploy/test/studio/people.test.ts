import { startSmtp } from '@cloudhal/gateway/testing/smtp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPage } from './check-page.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
beforeAll(async () => {
  smtp = await startSmtp();
  stage = await openStage({
    env: { CLOUDHAL_SMTP_URL: smtp.url, CLOUDHAL_MAIL_FROM: 'Cloudhal <cloudhal@example.org>' },
  });
}, 120_000);
afterAll(async () => {
  await stage?.stop();
  await smtp?.stop();
});

describe('the people page', () => {
  it('invites by a link that is shown once and mailed, and withdraws it', async () => {
    const { page, faults, close } = await stage.open('people', { as: stage.owner });
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /Role/ }).click();
    await page.getByRole('option', { name: /Reviewer/ }).click();
    await page.getByLabel('E-mail address (optional)').fill('nora@example.org');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
    expect(link).toContain(`${stage.url}/studio/join?token=`);
    expect((await smtp.mailWith(link)).to).toEqual(['nora@example.org']);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('nora@example.org').waitFor();
    expect(await page.content()).not.toContain(new URL(link).searchParams.get('token'));
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('nora@example.org').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await close();
  }, 60_000);

  it('changes a role and removes somebody, after the password where the sign-in is old', async () => {
    const editor = await stage.person('editor', 'Edda <b>Editor</b>');
    await stage.withOldSignIns(async () => {
      const { page, faults, close } = await stage.open('people', { as: stage.owner });
      await page.getByRole('button', { name: /Role of Edda/ }).click();
      await page.getByRole('option', { name: /Reviewer/ }).click();
      await page.getByRole('heading', { name: 'Is it still you?' }).waitFor();
      await page.getByLabel('Password').fill(stage.owner.password);
      await page.getByRole('button', { name: 'Continue' }).click();
      const role = async () => ((await editor.send('/api/session')).body.person as { role: string }).role;
      await expect.poll(role).toBe('reviewer');
      const row = page.getByRole('listitem').filter({ hasText: 'Edda <b>' });
      await row.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
      await row.waitFor({ state: 'detached' });
      expect((await editor.send('/api/session')).status).toBe(401);
      expect(faults).toEqual([]);
      await close();
    });
  }, 60_000);

  it('looks right to owners, and to who may only read it', async () => {
    await stage.person('editor', 'Emil Editor');
    const auditor = await stage.person('auditor', 'Aud Auditor');
    await stage.owner.send('/api/people/invitations', {
      method: 'POST',
      body: { role: 'editor', email: 'new@example.org' },
    });
    const ready = (page: import('playwright-core').Page) => page.getByText('Emil Editor');
    await checkPage(stage, 'people', { as: stage.owner, name: 'people', ready });
    await checkPage(stage, 'people', { as: auditor, name: 'people-auditor', ready });
  }, 120_000);
});

describe('the account page', () => {
  it('shows where one is signed in, ends it, and changes the look and the password', async () => {
    const person = await stage.person('editor', 'Sessa Session');
    const credentials = { email: person.email, password: person.password };
    const elsewhere = await fetch(`${stage.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: stage.url,
        'user-agent': 'Mozilla/5.0 (iPhone) Safari/605',
      },
      body: JSON.stringify(credentials),
    });
    expect(elsewhere.status).toBe(200);
    await checkPage(stage, 'account', {
      as: person,
      name: 'account',
      ready: (page) => page.getByText('Safari on iPhone'),
    });
    const { page, faults, close } = await stage.open('account', { as: person });
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('Safari on iPhone').waitFor({ state: 'detached' });
    await page.getByText('Dark', { exact: true }).click();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.reload();
    await page.getByLabel('Present password').fill(person.password);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.getByLabel('New password').fill('a quite different one');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    expect(faults).toEqual([]);
    await close();
  }, 120_000);

  it('lets one leave, unless nobody would be left in charge', async () => {
    const person = await stage.person('reviewer', 'Lea Leaver');
    for (const [as, isLast] of [
      [stage.owner, true],
      [person, false],
    ] as const) {
      const { page, close } = await stage.open('account', { as });
      await page.getByRole('button', { name: 'Leave…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
      if (isLast) await page.getByRole('alertdialog').getByRole('alert').waitFor();
      else await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await close();
    }
  }, 60_000);
});

describe('a forgotten password', () => {
  it('is replaced by the link in the mail', async () => {
    const person = await stage.person('editor', 'Vera Vergesslich');
    await checkPage(stage, 'forgot-password', {
      name: 'forgot-password',
      ready: (page) => page.getByRole('button', { name: 'Send the link' }),
    });
    const { page, faults, close } = await stage.open('sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // Both pages ask for the address.
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    const { text } = await smtp.mailWith('Choose it here');
    const link = /http\S+reset-password\?token=\S+/.exec(text)![0];
    await checkPage(stage, link.slice(`${stage.url}/studio/`.length), {
      name: 'reset-password',
      ready: (at) => at.getByRole('button', { name: 'Set the password' }),
    });
    await page.goto(link);
    await page.getByLabel('New password').fill('remembered from now on');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Go to the sign-in' }).click();
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill('remembered from now on');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Approvals' }).waitFor();
    expect(faults).toEqual([]);
    await close();
  }, 120_000);
});
