import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage, servePreview } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const home = () => servePage(site.database, { site: 'example', path: '/articles', basePath: '/sites/example' });
const styleOf = (html: string) => /<style>(.*)<\/style>/.exec(html)![1]!;

async function publish(...nodes: string[]) {
  return site.call('publish', { what: { nodes }, expectDraft: (await site.data('get_site')).snapshot });
}

describe('the design', () => {
  it('starts as a preset, with a contrast report in which everything can be read', async () => {
    const design = await site.data('get_design');
    expect(design).toMatchObject({
      rev: 0,
      preset: 'paper',
      own: [],
      tokens: { 'light.accent': '#0b5c74', scheme: 'auto' },
    });
    expect(design.contrast.length).toBe(18);
    for (const { ratio, least } of design.contrast) expect(ratio).toBeGreaterThanOrEqual(least);
  });

  it('is changed token by token, published, served under its own policy, diffed, rolled back and undone', async () => {
    const before = await site.check();
    const set = { 'light.accent': 'oklch(40% 0.12 30)', 'type.text': 'humanist', 'space.radius': 0 };
    const made = await site.call('set_design', { rev: 0, set });
    const { id } = made.data as { id: string };
    expect(made).toMatchObject({ rev: 1, changed: true });
    expect((await site.check()).seq).toBe(before.seq + 1);
    const plain = await home();
    const start = (await site.data('get_site')).liveSnapshot;
    expect(await site.assess('publish', { what: { nodes: [id] }, expectDraft: made.snapshot })).toMatchObject({
      effect: 'publish',
    });
    await publish(id);
    const own = await home();
    const accent = (await site.data('get_design', { view: 'live' })).tokens['light.accent'];
    expect(accent).toMatch(/^#[0-9a-f]{6}$/);
    expect(styleOf(own.html)).toContain(`--accent:${accent}`);
    expect(styleOf(own.html)).toContain('--radius:0');
    expect(own.policy).toContain(createHash('sha256').update(styleOf(own.html)).digest('base64'));
    expect(own.etag).not.toBe(plain.etag);
    const after = await site.call('set_design', { rev: 1, preset: 'forest', unset: ['type.text'] });
    expect(after.data).toMatchObject({ preset: 'forest', tokens: { 'space.radius': 0 } });
    expect(await site.data('diff_snapshots', { a: 'live', b: 'draft', format: 'fields' })).toMatchObject({
      differences: [{ id, kind: 'design', change: 'changed' }],
    });
    const undone = await site.call('undo_change', { snapshot: after.snapshot });
    expect(undone.changed).toBe(true);
    expect(await site.data('get_design')).toMatchObject({ preset: 'paper', tokens: { 'type.text': 'humanist' } });
    const expectLive = (await site.data('get_site')).liveSnapshot;
    await site.call('rollback', { snapshot: start, track: 'live', expectLive, reason: 'as it was' });
    expect(styleOf((await home()).html)).toBe(styleOf(plain.html));
  });

  it('a change that changes nothing makes no snapshot, and a stale rev is refused', async () => {
    const { rev, tokens } = await site.data('get_design');
    const same = await site.call('set_design', { rev, set: { 'type.text': tokens['type.text'] } });
    expect(same.changed).toBe(false);
    expect(await site.refusal('set_design', { rev: rev - 1, set: { 'type.size': 1.1 } })).toMatchObject({
      code: 'rev_conflict',
    });
    expect(await site.refusal('set_design', { rev: 0, set: { 'type.size': 1.1 } })).toMatchObject({
      code: 'rev_conflict',
    });
  });

  it.each([
    [
      'text that cannot be read',
      { 'light.ink': '#b0b0b0' },
      /light\.ink on light\.paper has a contrast of \d\.\d+, at least 4\.5/,
    ],
    ['a button that cannot be read in the dark', { 'dark.accent': '#203040' }, /dark\.accent on dark\.paper/],
    ['a translucent colour', { 'light.ink': '#0008' }, /opaque colour/],
    ['an injected rule', { 'light.ink': 'red;} body{display:none' }, /opaque colour/],
    ['an address', { 'light.ink': 'url(https://evil.example/x)' }, /opaque colour/],
    ['a font of another host', { 'type.text': 'Comic Sans, url(x)' }, /old-style/],
    ['a size beyond reason', { 'type.size': 40 }, /0\.85 to 1\.4/],
    ['a size as text', { 'type.size': '1;' }, /0\.85 to 1\.4/],
    ['an unknown token', { 'light.glow': '#fff' }, /a token/],
    ['a prototype as token', JSON.parse('{"__proto__": "#fff"}'), /a token/],
  ])('%s is refused and nothing is changed', async (_, set, says) => {
    const { rev } = await site.data('get_design');
    const before = await site.check();
    const refused = await site.refusal('set_design', { rev, set });
    expect([refused.code, refused.message]).toEqual(['validation_failed', expect.stringMatching(says)]);
    expect((await site.check()).seq).toBe(before.seq);
  });

  it('is looked at before it is public, around the home page', async () => {
    const { rev, node } = await site.data('get_design');
    await site.call('set_design', { rev, set: { 'space.measure': 50 } });
    const { url } = await site.data('preview_page', { node });
    const token = new URL(url).pathname.replace('/preview/', '');
    const { html } = await servePreview(site.database, { token, basePath: '/preview/x' });
    expect(styleOf(html)).toContain('--measure:50ch');
    expect(styleOf((await home()).html)).not.toContain('--measure:50ch');
  });
});

describe('header, banner and footer', () => {
  it('say what their slots say, in the words of each locale, with the menus that they name', async () => {
    const article = await site.data('create_entry', { type: 'article', fields: { title: 'Tides' } });
    const { id: german } = await site.data('save_translation', {
      node: article.id,
      locale: 'de',
      rev: 0,
      sourceRev: 1,
      fields: { title: 'Gezeiten' },
    });
    const menu = await site.data('set_menu', {
      menu: 'main',
      rev: 0,
      items: [{ label: 'More', children: [{ label: 'The tides', target: { node: article.id } }] }],
    });
    expect(await site.data('get_chrome')).toMatchObject({ rev: 0, slots: { 'header.menu': 'header' }, menus: [] });
    const set = {
      'header.menu': 'main',
      'banner.text': 'Closed on Friday <b>',
      'banner.text.de': 'Am Freitag geschlossen',
      'banner.href': '/articles/tides',
      'footer.text': 'Made by the sea.',
      'footer.feeds': false,
    };
    const { id } = await site.data('set_chrome', { rev: 0, set });
    expect(await site.data('get_chrome')).toMatchObject({ rev: 1, menus: [{ name: 'main', locale: 'en' }] });
    expect((await site.data('get_backlinks', { node: article.id })).backlinks).toContainEqual(
      expect.objectContaining({ source: id }),
    );
    const before = await home();
    expect(before.html).not.toContain('Friday');
    await publish(id, menu.id, article.id, german);
    const { html } = await home();
    expect(html).toContain('Closed on Friday &lt;b&gt;');
    expect(html).toMatch(/<details><summary>More<\/summary>.*\/sites\/example\/articles\/tides.*<\/details>/s);
    expect(html).toContain('Made by the sea.');
    expect(html).not.toContain('>RSS<');
    const path = '/de/articles/tides';
    const translated = await servePage(site.database, { site: 'example', path, basePath: '/sites/example' });
    expect(translated.html).toContain('Am Freitag geschlossen');
    const { rev } = await site.data('get_chrome');
    await site.call('set_chrome', { rev, unset: ['banner.text', 'banner.text.de'] });
    expect((await site.data('get_chrome')).own).not.toHaveProperty('banner.text');
  });

  it.each([
    ['an unknown slot', { 'header.script': 'x' }, 'a slot'],
    ['a locale that the site does not have', { 'banner.text.fr': 'x' }, 'en, de'],
    ['a locale where there are no words', { 'header.menu.de': 'x' }, 'a slot'],
    ['a script as a link', { 'banner.href': 'javascript:alert(1)' }, 'http'],
    ['another host that looks like a path', { 'banner.href': '//evil.example' }, 'http'],
    ['too long a text', { 'banner.text': 'x'.repeat(301) }, '300'],
    ['a text for a switch', { 'footer.feeds': 'yes' }, 'true or false'],
  ])('%s is refused', async (_, set, says) => {
    const { rev } = await site.data('get_chrome');
    const refused = await site.refusal('set_chrome', { rev, set });
    expect([refused.code, refused.message]).toEqual(['validation_failed', expect.stringContaining(says)]);
  });
});
