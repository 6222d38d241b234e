import type { SiteBody } from '@cloudhal/shared/site/shapes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitingLimits } from '../comments/take-comment.ts';
import { addArticle, openTestSite, pageBody, type TestSite } from '../testing/test-site.ts';
import { createPreviews } from './previews.ts';
import { serveComment, servePage, servePreview } from './site-page.ts';

let site: TestSite;
const at = { site: 'example', basePath: '/sites/example' };
const page = (path: string, form = 'token') => servePage(site.database, { ...at, path, form });
const send = (text: string, more: object = {}) =>
  serveComment(site.database, { ...at, path: '/articles/ferry', author: 'Mo', text, form: 'fresh', ...more });
const approve = () => site.database.query(`UPDATE tools.comment SET status = 'approved'`);

async function setComments(comments: SiteBody['comments']) {
  const { rev } = await site.view().get('site', site.id);
  await site.change((draft) =>
    draft.save('site', site.id, rev, ({ comments: _, ...body }) => ({ ...body, ...(comments && { comments }) })),
  );
  await site.publish(site.id);
}

let entry: string;
beforeAll(async () => {
  site = await openTestSite();
  entry = (await addArticle(site, 'ferry')).id;
  const { id: hidden } = await addArticle(site, 'hidden');
  const { data } = await site.change((draft) => draft.create('page', pageBody('about')));
  await site.publish(entry, (data as { id: string }).id);
  expect(hidden).toBeDefined();
  await setComments('open');
});
afterAll(() => site.drop());

describe('a comment', () => {
  it('is written without script, waits for a person, and is then shown as the text that it is', async () => {
    const before = await page('/articles/ferry');
    expect(before.html).toContain('href="/sites/example/articles/ferry/comments"');
    const form = await page('/articles/ferry/comments');
    expect(form).toMatchObject({ status: 200, policy: expect.stringContaining("form-action 'self'") });
    expect(form.etag).toBeUndefined();
    expect(form.html).toMatch(/<form method="post" action="\/sites\/example\/articles\/ferry\/comments">/);
    expect(form.html).toContain('name="form" value="token"');

    const text = '<img src=x onerror=alert(1)>\n\n"Two" & \u202ethree';
    const sent = await send(text, { author: '<b>Mo</b>' });
    expect(sent).toMatchObject({ status: 303, location: '/sites/example/articles/ferry/comments/sent' });
    expect((await page('/articles/ferry/comments/sent')).html).toContain('Thank you');
    expect((await page('/articles/ferry')).html).toBe(before.html);

    await approve();
    const after = await page('/articles/ferry');
    expect(after.etag).not.toBe(before.etag);
    expect(after.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(after.html).toContain('<bdi>&lt;b&gt;Mo&lt;/b&gt;</bdi>');
    expect(after.html).not.toMatch(/<img|<b>|\u202e/);
  });

  it.each([
    ['without words', { text: ' ' }, 'Please give a name'],
    ['that is too long', { text: 'x'.repeat(4_001) }, 'too long'],
    ['that came too fast', { problem: 'quick' }, 'once more'],
  ])('%s is shown again with what was written, and is not kept', async (_, more, says) => {
    const [before] = await site.database.query('SELECT count(*) AS n FROM tools.comment');
    const again = await send('My <careful> words', more);
    expect(again).toMatchObject({ status: 422, html: expect.stringContaining(says) });
    expect(again.html).toContain('value="fresh"');
    if (!('text' in more)) expect(again.html).toContain('My &lt;careful&gt; words</textarea>');
    expect(await site.database.query('SELECT count(*) AS n FROM tools.comment')).toEqual([before]);
  });

  it('sent twice is kept once', async () => {
    await send('The very same');
    expect((await send('The very  same')).status).toBe(303);
    const rows = await site.database.query(`SELECT 1 FROM tools.comment_words WHERE text = 'The very same'`);
    expect(rows).toHaveLength(1);
  });

  it('is taken under nothing but what readers see', async () => {
    for (const path of ['/articles/hidden', '/about', '/articles', '/', '/nowhere']) {
      expect((await page(`${path}/comments`)).status, path).toBe(404);
      expect((await send('Hello', { path })).status, path).toBe(404);
    }
    await expect(send('Hello', { site: 'no-such-site' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not taken once too many wait', async () => {
    await site.database.query(
      `INSERT INTO tools.comment (id, site_id, node_id, status) SELECT 'cm_flood' || n, $1, $2, 'pending' FROM generate_series(1, $3) n`,
      [site.id, entry, waitingLimits.entry],
    );
    expect(await send('One more')).toMatchObject({ status: 422, html: expect.stringContaining('One more</textarea>') });
    await site.database.query(`DELETE FROM tools.comment WHERE id LIKE 'cm_flood%'`);
  });
});

describe('a site whose comments are closed', () => {
  it('shows what was said and takes nothing more; one that has none shows neither', async () => {
    await approve();
    await setComments('closed');
    const { html } = await page('/articles/ferry');
    expect(html).toContain('The very same');
    expect(html).not.toContain('/articles/ferry/comments"');
    expect((await send('Hello')).status).toBe(404);
    await setComments(undefined);
    expect((await page('/articles/ferry')).html).not.toContain('The very same');
    await setComments('open');
  });
});

describe('a preview', () => {
  it('offers no way to comment', async () => {
    const preview = { site: site.id, node: entry, track: 'draft' } as const;
    const { url } = await createPreviews(site.database, 'https://preview.example').mint(preview, 60);
    const token = new URL(url).pathname.replace('/preview/', '');
    const { html } = await servePreview(site.database, { token, basePath: '/preview/x' });
    expect(html).toContain('Write a comment');
    expect(html).not.toMatch(/<form|\/comments/);
  });
});
