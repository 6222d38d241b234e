import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { photograph } from '../../media/testing/pictures.ts';
import { serveFeed } from '../../site/feeds.ts';
import { previewMedia, siteMedia } from '../../site/site-media.ts';
import { servePage } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(() => site.drop());

it('an image goes live with the first node that shows it, in its sizes; before that nobody but a preview has it', async () => {
  const base64 = (await photograph(700, 500)).toString('base64');
  const { id } = await site.data('upload_asset', { filename: 'sea.jpg', base64, alt: 'A sea' });
  const body = `![](asset:${id})`;
  const entry = await site.data('create_entry', { type: 'article', fields: { title: 'The sea' }, body });
  const { hash } = (await site.view().node(id)).body as { hash: string };
  const file = { asset: id, file: `${hash}.jpg` };
  await expect(siteMedia(site.database, { site: 'example', ...file })).rejects.toMatchObject({ code: 'not_found' });
  const { url } = await site.data('preview_page', { node: entry.id });
  const token = new URL(url).pathname.split('/').at(-1)!;
  expect(await previewMedia(site.database, { token, ...file })).toMatchObject({ hash, type: 'image/jpeg' });

  const what = { nodes: [entry.id] };
  const { expectDraft } = await site.data('get_publish_plan', { what });
  await site.call('publish', { what, expectDraft });
  expect(await siteMedia(site.database, { site: 'example', ...file })).toMatchObject({ hash, filename: 'sea.jpg' });
  const page = { site: 'example', path: '/articles/the-sea', basePath: '/sites/example' };
  const { html } = await servePage(site.database, page);
  expect(html).toContain(`src="/sites/example/media/${id}/${hash}.jpg"`);
  expect(html).toMatch(/srcset="[^"]+\.webp 320w, [^"]+\.webp 640w, [^"]+ 700w"/);
  expect(html).toContain('alt="A sea" width="700" height="500"');
});

it('a preview of a release shows the images of what the release puts live, whatever the draft shows by now', async () => {
  const base64 = (await photograph(80, 40)).toString('base64');
  const { id } = await site.data('upload_asset', { filename: 'bay.jpg', base64, alt: 'A bay' });
  const body = `![](asset:${id})`;
  const entry = await site.data('create_entry', { type: 'article', fields: { title: 'The bay' }, body });
  const release = await site.data('create_release', { title: 'Bays', items: [{ node: entry.id, rev: 1 }] });
  await site.call('edit_body', { entry: entry.id, rev: 1, edits: [{ find: body, replace: 'No image.' }] });
  const { hash } = (await site.view().node(id)).body as { hash: string };
  const { url } = await site.data('preview_page', { node: entry.id, release: release.id });
  const token = new URL(url).pathname.split('/').at(-1)!;
  expect(await previewMedia(site.database, { token, asset: id, file: `${hash}.jpg` })).toMatchObject({ hash });
});

async function photo(width: number, alt = 'A sea'): Promise<{ id: string; src: string }> {
  const base64 = (await photograph(width, 400)).toString('base64');
  const { id } = await site.data('upload_asset', { filename: 'sea.jpg', base64, alt });
  const { hash } = (await site.view().node(id)).body as { hash: string };
  return { id, src: `/sites/example/media/${id}/${hash}.jpg` };
}
async function publish(...nodes: string[]) {
  const { expectDraft } = await site.data('get_publish_plan', { what: { nodes } });
  await site.call('publish', { what: { nodes }, expectDraft });
}
const origin = 'https://news.example';
const served = async (path: string) =>
  (await servePage(site.database, { site: 'example', path, basePath: '/sites/example', origin })).html;

describe('the image that leads an article', () => {
  it('stands over it, in lists, in feeds, and where somebody shares it; cut around what must stay in view', async () => {
    const { id, src } = await photo(720);
    const set = { focalPoint: { x: 0.21, y: 0.78 }, caption: 'At noon', credit: 'Ada' };
    await site.call('update_asset', { asset: id, rev: 1, set });
    const fields = { title: 'Led by an image', publishedOn: '2026-03-04', leadImage: id };
    const entry = await site.data('create_entry', { type: 'article', fields });
    await publish(entry.id);
    const page = await served('/articles/led-by-an-image');
    expect(page).toMatch(
      new RegExp(`<figure class="image"><img src="${src}" srcset="[^"]+"[^>]+width="720" height="400"`),
    );
    expect(page).toContain('<figcaption>At noon · Ada</figcaption>');
    expect(page).toContain('loading="eager"');
    expect(page).toContain(`<meta property="og:image" content="${origin}${src}">`);
    expect(page).toContain('<meta property="og:image:alt" content="A sea">');
    const list = await served('/articles');
    expect(list).toMatch(new RegExp(`<img src="${src}"[^>]+ alt="" [^>]+ class="thumbnail fx2 fy8">`));
    expect(list).toContain('.fx2{--fx:20%}');
    for (const path of ['/feed.xml', '/atom.xml']) {
      const feed = await serveFeed(site.database, { site: 'example', path, basePath: '/sites/example', origin });
      expect(feed.html).toContain(`${origin}${src}`);
    }
    const { url } = await site.data('preview_page', { node: entry.id });
    expect(url).toMatch(/^https:/);
  });

  it('is an asset of this site and nothing else', async () => {
    const fields = { title: 'Led astray', leadImage: 'as_00000000000000000000000000' };
    const refusal = await site.refusal('create_entry', { type: 'article', fields });
    expect(refusal).toMatchObject({ code: 'validation_failed', details: { path: 'fields.leadImage' } });
  });
});

it('a page shows images in sections of their own, over its heading, and hands out documents', async () => {
  const [hero, shown] = [await photo(732), await photo(740)];
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n').toString('base64');
  const paper = await site.data('upload_asset', { filename: 'report.pdf', base64: pdf, alt: '' });
  const page = await site.data('create_page', {
    title: 'Pictures',
    sections: [
      { type: 'hero', props: { heading: 'Pictures', image: hero.id } },
      { type: 'image', props: { asset: shown.id, caption: 'Seen <here>', alt: 'Here' } },
      { type: 'text', props: { markdown: `The [report](asset:${paper.id}).` } },
    ],
  });
  await publish(page.id);
  const text = await served('/pictures');
  expect(text).toMatch(new RegExp(`<img src="${hero.src}"[^>]+loading="eager"[^>]+class="wide-image">`));
  expect(text).toMatch(new RegExp(`<img src="${shown.src}"[^>]+alt="Here"`));
  expect(text).toContain('<figcaption>Seen &lt;here&gt;</figcaption>');
  const [, file] = new RegExp(`<a href="/sites/example/media/${paper.id}/([0-9a-f]{64}\\.pdf)">report</a>`).exec(text)!;
  expect(await siteMedia(site.database, { site: 'example', asset: paper.id, file: file! })).toMatchObject({
    type: 'application/pdf',
  });
});

it.each<[string, (id: string) => Promise<object>]>([
  [
    'a body',
    (id) => site.refusal('create_entry', { type: 'article', fields: { title: 'x' }, body: `![](asset:${id})` }),
  ],
  [
    'a section',
    (id) => site.refusal('create_page', { title: 'x', sections: [{ type: 'image', props: { asset: id } }] }),
  ],
  [
    'a change of a body',
    async (id) => {
      const entry = await site.data('create_entry', { type: 'article', fields: { title: `To ${id}` } });
      return site.refusal('update_entry', { entry: entry.id, rev: 1, body: `[a file](asset:${id})` });
    },
  ],
])('an asset that the site does not have is refused in %s', async (_, refused) => {
  const other = (await photo(752)).id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  expect(await refused(other)).toMatchObject({ code: 'validation_failed', message: expect.stringContaining(other) });
});

it('a draft says which of its pictures have no words in its locale, and which are gone', async () => {
  const { id } = await photo(760, 'A harbour');
  const body = `![](asset:${id})\n\n![Said here](asset:${id})`;
  const fields = { title: 'Hafen', leadImage: id };
  const entry = await site.data('create_entry', { type: 'article', locale: 'de', fields, body });
  const missing = { valid: false, problems: [`It shows ${id}, which has no alt text in de.`] };
  expect(await site.data('validate_draft', { node: entry.id })).toMatchObject(missing);
  const { checks } = await site.data('check_readiness', { nodes: [entry.id] });
  const found = checks.find(({ check }: { check: string }) => check === 'alt');
  expect(found).toMatchObject({ ok: false, problems: [`"Hafen" shows ${id}, which has no alt text in de.`] });
  await site.call('update_asset', { asset: id, rev: 1, set: { alt: '' }, locale: 'de' });
  expect(await site.data('validate_draft', { node: entry.id })).toMatchObject({ valid: true });
  await site.change(async (draft) => draft.remove(id, 2));
  expect(await site.data('validate_draft', { node: entry.id })).toMatchObject({
    problems: [`It names ${id}, which is not there.`],
  });
});

it('the limits of a site say which files it takes', async () => {
  const { limits } = await site.data('get_site', { include: ['limits'] });
  expect(limits).toMatchObject({ assetBytes: 1_000_000, assetInlineBytes: 262_144, assetPixels: 50_000_000 });
  expect(limits.assetTypes).toContain('image/webp');
});
