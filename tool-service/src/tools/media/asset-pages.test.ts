import { afterAll, beforeAll, expect, it } from 'vitest';
import { photograph } from '../../media/testing/pictures.ts';
import { previewMedia, siteMedia } from '../../site/site-media.ts';
import { servePage } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite();
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
