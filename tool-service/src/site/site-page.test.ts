import type { Database } from '@cloudhal/shared/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphNode } from '../graph/node.ts';
import { addArticle, articleBody, openTestSite, pageBody, type TestSite } from '../testing/test-site.ts';
import { createPreviews } from './previews.ts';
import { servePage, servePreview } from './site-page.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
  const { data } = await site.change((draft) =>
    Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const publishedOn = `2026-01-${String(1 + (i % 28)).padStart(2, '0')}`;
        return draft.create('entry', articleBody(`a${i}`, { fields: { title: `Entry ${i}.`, publishedOn } }));
      }),
    ),
  );
  await site.publish(...(data as GraphNode[]).map(({ id }) => id));
});
afterAll(() => site.drop());

/** A page of the published list, and how many statements it took. */
async function listed(path: string) {
  let statements = 0;
  const counted: Database = {
    ...site.database,
    query(...args: Parameters<Database['query']>) {
      statements++;
      return site.database.query(...args) as never;
    },
  };
  const { status, html } = await servePage(counted, { site: 'example', path, basePath: '/sites/example' });
  return { status, statements, titles: [...html.matchAll(/Entry \d+\./g)].map(String) };
}

describe('the list of a type on a published site', () => {
  it('has each entry on one page, and no page behind the last', async () => {
    const pages = await Promise.all(['/articles', '/articles/page/2', '/articles/page/3'].map(listed));
    expect(new Set(pages.flatMap(({ titles }) => titles)).size).toBe(60);
    expect(pages.map(({ titles }) => new Set(titles).size)).toEqual([20, 20, 20]);
    expect((await listed('/articles/page/4')).status).toBe(404);
    expect((await listed('/articles/page/99999')).status).toBe(404);
  });

  it('costs a reader of a far page no more than one of a near page', async () => {
    const [near, far] = [await listed('/articles/page/2'), await listed('/articles/page/3')];
    expect(far.statements).toBe(near.statements);
  });
});

describe('a path that another site could be read from', () => {
  it.each(['//evil.example/', '/\\evil.example/', '//evil.example', '/articles//'])(
    'leads nowhere: %s',
    async (path) => {
      const { status, location } = await servePage(site.database, { site: 'example', path, basePath: '' });
      expect({ status, location }).toEqual({ status: 404, location: undefined });
    },
  );
});

describe('a preview of a page', () => {
  it('shows no other draft beside it: what it lists is what readers know', async () => {
    await addArticle(site, 'secret', { fields: { title: 'Secret merger' } });
    const sections = [{ id: 'se_1', type: 'entries', props: { type: 'article', limit: 50 } }];
    const { data } = await site.change((draft) => draft.create('page', pageBody('news', { sections })));
    await site.change((draft) => draft.create('page', pageBody('plans', { title: 'Secret plans' })));
    const { id } = data as GraphNode;
    const grant = { site: site.id, node: id, track: 'draft' } as const;
    const snapshot = (await site.view().head()).snapshot;
    for (const preview of [grant, { ...grant, snapshot }]) {
      const { url } = await createPreviews(site.database, 'https://preview.example').mint(preview, 60);
      const token = new URL(url).pathname.replace('/preview/', '');
      const { html } = await servePreview(site.database, { token, basePath: '/preview/x' });
      expect(html).toContain('Page news');
      expect(html).toContain('Entry 27.');
      expect(html).not.toContain('Secret');
    }
  });
});
