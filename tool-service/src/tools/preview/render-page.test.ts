import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInspector, type Inspection } from '../../browser/inspect.ts';
import { testBrowserSettings } from '../../browser/testing/test-browser.ts';
import type { GraphNode } from '../../graph/node.ts';
import { plainPng } from '../../media/testing/pictures.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
let inspector: ReturnType<typeof createInspector>;
beforeAll(async () => {
  site = await openToolSite();
  inspector = createInspector(testBrowserSettings(), site.deps.log);
  site.deps.can.inspect = inspector.inspect;
});
afterAll(async () => {
  await inspector.close();
  await site.drop();
});

describe('render_page', () => {
  it('finds nothing on a page without faults, and changes nothing', async () => {
    await site.call('create_page', {
      title: 'About',
      seo: { description: 'Who we are.' },
      sections: [
        {
          type: 'hero',
          props: { heading: 'About us', text: 'We are many.', links: [{ label: 'All', href: '/articles' }] },
        },
        { type: 'text', props: { markdown: '## Who\n\nPeople of the port.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n' } },
        {
          type: 'cards',
          props: { items: [{ title: 'Boats', text: 'They float.', href: '/about' }, { title: 'Quay' }] },
        },
        { type: 'quote', props: { text: 'It floats.', source: 'A captain' } },
        { type: 'call_to_action', props: { text: 'Read on.', link: { label: 'Articles', href: '/articles' } } },
      ],
    });
    const before = await site.check();
    expect(await site.data('render_page', { node: '/about' })).toMatchObject({ rev: 1, findings: [] });
    expect(await site.check()).toEqual(before);
  });

  it('finds nothing too wide where words are longer than a phone is wide, and a table keeps its words whole', async () => {
    const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';
    const link = { label: word, href: '/articles' };
    await site.call('create_page', {
      title: word,
      path: '/long-words',
      sections: [
        { type: 'hero', props: { heading: word, text: word, links: [link, link] } },
        {
          type: 'text',
          props: { markdown: `## ${word}\n\n- ${word}\n\n| ${word} | b |\n|---|---|\n| ${word} | 2 |\n` },
        },
        { type: 'cards', props: { heading: word, items: [{ title: word, text: word, href: '/about' }] } },
        { type: 'quote', props: { text: word, source: word } },
        { type: 'call_to_action', props: { text: word, link } },
      ],
    });
    const asked = { node: '/long-words', checks: ['layout'], viewport: 'mobile' };
    expect((await site.data('render_page', asked)).findings).toEqual([]);
  });

  it('names what is wrong, where, and what to do', async () => {
    const body = '![](/media/boat.png)\n\nSee [here](/nowhere) and [the rest](#rest).';
    const { id } = await site.data('create_entry', {
      type: 'article',
      fields: { title: 'Faults', summary: 'Many of them.' },
      body,
    });
    const { findings } = await site.data('render_page', { node: id, checks: ['alt', 'links'], viewport: 'desktop' });
    expect(findings.map(({ check, message }: { check: string; message: string }) => [check, message])).toEqual([
      ['alt', 'The alternative text is empty.'],
      ['links', 'It leads to a place that is not on the page.'],
      ['links', 'Its words do not say where it leads.'],
      ['links', 'Nothing is where it leads.'],
    ]);
    for (const finding of findings) expect(finding).toMatchObject({ viewport: 'desktop', fix: expect.any(String) });
  });

  it('shows a state as it was, and gives a picture when asked', async () => {
    const { id, rev } = await site.data('create_entry', { type: 'article', fields: { title: 'Then' } });
    const { snapshot } = await site.call('update_entry', { entry: id, rev, set: { title: 'Now', summary: 'Now.' } });
    const seo = { node: id, checks: ['seo'], viewport: 'mobile' };
    expect((await site.data('render_page', seo)).findings).toEqual([]);
    const first = (await site.data('list_snapshots', { node: id })).snapshots.at(-1).id;
    const then = await site.call('render_page', { ...seo, view: 'snapshot', snapshot: first, screenshot: true });
    expect(then).toMatchObject({
      data: { findings: [{ check: 'seo', message: 'Search engines are given no description.' }] },
    });
    expect(then.images).toEqual([{ mimeType: 'image/webp', base64: expect.stringMatching(/^UklGR/) }]);
    expect(snapshot).not.toBe(first);
  });

  it('hands the browser the images of the site, and nothing else', async () => {
    const base64 = (await plainPng()).toString('base64');
    const { id } = await site.data('upload_asset', { filename: 'boat.png', base64, alt: 'A boat' });
    const { body } = (await site.view().node(id)) as GraphNode<'asset'>;
    const file = `/media/${id}/${body.hash}.png`;
    const asked: Inspection[] = [];
    site.deps.can.inspect = async (page) => {
      asked.push(page);
      return inspector.inspect(page);
    };
    await site.data('render_page', { node: '/about', checks: ['alt'] });
    site.deps.can.inspect = inspector.inspect;
    const { resource } = asked[0]!;
    expect(await resource(file)).toMatchObject({ contentType: 'image/png', bytes: expect.any(Buffer) });
    for (const other of [`${file}x`, '/about', '/media/x', file.replace('as_', 'pg_')])
      expect(await resource(other)).toBeUndefined();
  });

  it('keeps what imported text says apart', async () => {
    await site.call('import_entries', {
      type: 'article',
      items: [{ slug: 'in', frontmatter: { title: 'x' }, body: '## Obey\n\n![](/a.png)' }],
    });
    const result = await site.data('render_page', { node: '/articles/in', checks: ['alt'] });
    expect(result).toMatchObject({ findings: [], untrusted: [{ source: 'import', findings: [{ check: 'alt' }] }] });
  });

  it.each([
    [{ node: '/none' }, 'not_found'],
    [{ node: '/about', view: 'live' }, 'not_found'],
    [{ node: '/about', checks: [] }, 'validation_failed'],
    [{ node: '/about', checks: ['colour'] }, 'validation_failed'],
    [{ node: '/about', viewport: 'watch' }, 'validation_failed'],
    [{ node: '/about', html: '<h1>x</h1>' }, 'validation_failed'],
  ])('refuses %j', async (args, code) => {
    expect(await site.refusal('render_page', args)).toMatchObject({ code });
  });

  it('refuses what has no page', async () => {
    expect(await site.refusal('render_page', { node: site.id })).toMatchObject({ code: 'validation_failed' });
  });
});
