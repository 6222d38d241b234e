import { sectionTypes } from '@cloudhal/shared/site/section-types';
import { describe, expect, test } from 'vitest';
import {
  contentSecurityPolicy,
  listedTypes,
  renderEntry,
  renderIndex,
  renderNotFound,
  renderPage,
  renderTerm,
} from './index.ts';
import {
  all,
  article,
  basePath,
  cards,
  entry,
  nav,
  one,
  page,
  read,
  references,
  site,
  terms,
  view,
} from './testing/pages.ts';
import { styleSheet } from './theme-css.ts';

const assets = new Map([
  [
    String(sectionTypes.image.example.asset),
    {
      filename: 'sea.png',
      type: 'image/png' as const,
      hash: 'a'.repeat(64),
      bytes: 10,
      width: 4,
      height: 3,
      renditions: [],
      source: { sha256: 'b'.repeat(64) },
      alt: { en: 'A sea' },
    },
  ],
]);
const everySection = Object.entries(sectionTypes).map(([type, { example }]) => ({ type, props: example }));

const everyPage: Record<string, string> = {
  entry: renderEntry({ site, entry, terms, contentType: article, basePath, nav, related: cards, references }),
  preview: renderEntry({ site, entry, contentType: article, basePath, nav, view }),
  page: renderPage({ site, page: page(everySection), basePath, nav, entriesByType: { article: cards } }),
  'page without sections': renderPage({ site, page: page([]), basePath }),
  index: renderIndex({
    site,
    contentType: article,
    entries: cards,
    basePath,
    nav,
    page: { number: 2, newer: '/articles', older: '/articles/page/3' },
  }),
  term: renderTerm({
    site,
    path: '/topics/river',
    title: 'River',
    description: 'All about it.',
    trail: [{ label: 'Topics', path: '/topics' }],
    terms,
    entries: cards,
    basePath,
    nav,
    page: { number: 1, older: '/topics/river/page/2' },
  }),
  'empty index': renderIndex({ site, contentType: article, entries: [], basePath }),
  'not found': renderNotFound({ site, basePath, nav }),
};

describe.each(Object.entries(everyPage))('a rendered %s', (name, html) => {
  test('is well-formed and has one of each landmark, and one main heading', () => {
    for (const tag of ['html', 'head', 'title', 'body', 'main', 'footer', 'h1']) one(html, tag);
    expect(all(html, 'header').length).toBeGreaterThanOrEqual(1);
  });

  test('leaves no heading level out', () => {
    const levels = read(html)
      .filter(({ tag }) => /^h[1-6]$/.test(tag))
      .map(({ tag }) => Number(tag[1]));
    for (const [index, level] of levels.entries()) expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
  });

  test('can be skipped to its content', () => {
    const [skip] = all(html, 'a');
    expect(skip!.attributes.href).toBe('#content');
    expect(one(html, 'main').attributes.id).toBe('content');
  });

  test('says its language and fits a phone', () => {
    expect(one(html, 'html').attributes).toEqual({ lang: 'en', dir: 'ltr' });
    expect(html).toContain('name="viewport"');
  });

  test('asks no other host for anything and runs nothing', () => {
    for (const { tag, attributes } of read(html)) {
      expect(['script', 'iframe', 'object', 'embed', 'base']).not.toContain(tag);
      expect(attributes.style).toBeUndefined();
      for (const [attribute, value] of Object.entries(attributes)) {
        expect(attribute).not.toMatch(/^on/);
        expect(value).not.toMatch(/https?:|^\/\//);
      }
    }
  });

  test('has exactly the style that its policy allows', () => {
    expect(all(html, 'style')).toHaveLength(1);
    expect(html).toContain(`<style>${styleSheet()}</style>`);
    expect(contentSecurityPolicy({})).toContain("style-src 'sha256-");
  });

  test('links to the site under its address', () => {
    if (name === 'preview') return;
    const paths = all(html, 'a').map(({ attributes }) => attributes.href!);
    for (const path of paths) expect(path).toMatch(/^(#|\/sites\/gazette\/)/);
  });
});

describe('an entry', () => {
  const { entry: html } = everyPage as { entry: string };

  test('shows title, summary, date, bylines, terms and body', () => {
    expect(one(html, 'h1').text).toBe('The salmon are back');
    expect(one(html, 'article').text).toMatch(
      /March 4, 2026.*Mira Holm[\s\S]*After sixty years\.[\s\S]*Text with a link[\s\S]*river/,
    );
    expect(all(html, 'time')[0]!.attributes.datetime).toBe('2026-03-04');
  });

  test('has a title, a description and an address for search engines', () => {
    expect(one(html, 'title').text).toBe('The salmon are back · Gazette');
    expect(html).toContain('<meta name="description" content="After sixty years.">');
    expect(one(html, 'link').attributes).toEqual({ rel: 'canonical', href: '/sites/gazette/articles/salmon' });
  });

  test('lists what else there is to read', () => {
    expect(one(html, 'aside').text).toContain('One');
  });

  test('shows the fields of a type of one’s own by the names of its schema', () => {
    const properties = {
      title: {},
      startsOn: {},
      place: { title: 'Where' },
      price: {},
      tags: {},
      free: {},
      site: {},
      secret: {},
    };
    const type = { ...article, name: 'event', pathPrefix: '/events', fields: { properties } };
    const fields = {
      title: 'Fair',
      startsOn: '2026-05-01',
      place: '<Hall>',
      price: 0,
      tags: ['a', 'b'],
      free: true,
      site: 'https://example.org/x',
      other: 'not in the schema',
    };
    const list = all(renderEntry({ site, entry: { ...entry, fields }, contentType: type, basePath }), 'dl')[0]!;
    expect(list.text).toBe('Starts onMay 1, 2026Where&lt;Hall&gt;Price0Tagsa, bFreeYesSiteexample.org/x');
  });

  test('speaks the language of its locale', () => {
    const german = renderEntry({
      site,
      entry: { ...entry, locale: 'de-AT' },
      contentType: article,
      basePath,
      related: cards,
    });
    expect(one(german, 'html').attributes.lang).toBe('de-AT');
    expect(german).toContain('4. März 2026');
    expect(all(german, 'a')[0]!.text).toBe('Zum Inhalt springen');
    const arabic = renderEntry({ site, entry: { ...entry, locale: 'ar' }, contentType: article, basePath });
    expect(one(arabic, 'html').attributes.dir).toBe('rtl');
  });
});

describe('a preview', () => {
  const html = everyPage.preview!;

  test('says that it is one, of which state, and until when', () => {
    expect(one(html, 'aside').text).toBe(
      'PreviewDraft, snapshot sn_1. Not public. This link ends 5 March 2026 at 10:00 UTC.',
    );
  });

  test('is no way to anything else, and nothing that search engines or referrers keep', () => {
    for (const { attributes } of all(html, 'a')) expect(attributes.href ?? '#').toMatch(/^#/);
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).toContain('<meta name="referrer" content="no-referrer">');
    expect(all(html, 'link')).toEqual([]);
  });
});

describe('a page', () => {
  test('renders every type of section that there is', () => {
    for (const section of everySection) {
      const html = renderPage({ site, page: page([section]), basePath, assets, entriesByType: { article: cards } });
      const text = Object.values(section.props).find((value) => typeof value === 'string')!;
      expect(all(html, 'section'), section.type).toHaveLength(1);
      if (section.type === 'image') expect(one(html, 'img').attributes.alt).toBe('A sea');
      else if (section.type !== 'entries' && section.type !== 'cards') expect(one(html, 'main').text).toContain(text);
    }
  });

  test('takes its main heading from the hero that opens it, else from its title', () => {
    const hero = { type: 'hero', props: { heading: 'Welcome' } };
    const text = { type: 'text', props: { markdown: '# A' } };
    expect(one(renderPage({ site, page: page([hero, text]), basePath }), 'h1').text).toBe('Welcome');
    const second = renderPage({ site, page: page([text, hero]), basePath });
    expect(one(second, 'h1').text).toBe('About us');
    expect(all(second, 'h2').map(({ text }) => text)).toEqual(['A', 'Welcome']);
  });

  test('lists the newest entries of a type, as many as it says', () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ title: `Entry ${n}`, path: `/articles/${n}` }));
    const html = (limit?: number) =>
      renderPage({
        site,
        page: page([{ type: 'entries', props: { type: 'article', ...(limit && { limit }) } }]),
        basePath,
        entriesByType: { article: many },
      });
    expect(all(html(3), 'li').map(({ text }) => text)).toEqual(['Entry 0', 'Entry 1', 'Entry 2']);
    expect(all(html(), 'li')).toHaveLength(10);
  });

  test('says which entries it needs', () => {
    const sections = [
      { type: 'entries', props: { type: 'article', limit: 3 } },
      { type: 'entries', props: { type: 'article' } },
      { type: 'entries', props: { type: 'event', limit: 50 } },
    ];
    expect(listedTypes(page(sections))).toEqual([
      { type: 'article', limit: 10 },
      { type: 'event', limit: 50 },
    ]);
  });

  test('leaves out a section that the theme does not know', () => {
    const html = renderPage({
      site,
      page: page([
        { type: 'constructor', props: {} },
        { type: 'carousel', props: {} },
      ]),
      basePath,
    });
    expect(all(html, 'section')).toEqual([]);
  });

  test('marks the current item of the navigation', () => {
    const home = renderPage({ site, page: page([]), path: '/', basePath, nav });
    expect(
      all(home, 'a')
        .filter(({ attributes }) => attributes['aria-current'])
        .map(({ text }) => text),
    ).toContain('Home');
  });
});

describe('an index', () => {
  test('leads to newer and older entries', () => {
    const links = all(everyPage.index!, 'a').map(({ attributes }) => attributes.href);
    expect(links).toContain('/sites/gazette/articles/page/3');
  });

  test('says when there is nothing', () => {
    expect(one(everyPage['empty index']!, 'main').text).toContain('Nothing has been published here yet.');
  });
});
