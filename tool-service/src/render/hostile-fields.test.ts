import { describe, expect, test } from 'vitest';
import { renderEntry, renderIndex, renderNotFound, renderPage, renderTerm } from './index.ts';
import { hostile } from './testing/hostile.ts';
import { article, basePath, entry, mira, one, page, read, site } from './testing/pages.ts';

describe('hostile text in every field', () => {
  test.each(hostile)('stays text: %j', (text) => {
    const bad = { ...site, title: text, tagline: text, social: [{ label: text, url: text }] };
    const badEntry = {
      ...entry,
      fields: { title: text, summary: text, publishedOn: text, seoDescription: text },
      bylines: [mira],
      corrections: [{ id: 'co_1', kind: 'retraction' as const, text, correctedAt: text }],
      terms: { t: [text] },
    };
    const badCards = [{ title: text, path: text, summary: text, date: text }];
    const sections = [
      { type: 'hero', props: { heading: text, text, links: [{ label: text, href: text }] } },
      { type: 'cards', props: { heading: text, items: [{ title: text, text, href: text }] } },
      { type: 'entries', props: { heading: text, type: 'article' } },
      { type: 'quote', props: { text, source: text } },
      { type: 'call_to_action', props: { text, link: { label: text, href: text } } },
    ];
    const badNav = [{ label: text, path: text }];
    const rendered = [
      renderTerm({
        site: bad,
        path: '/topics/x',
        title: text,
        description: text,
        trail: badNav,
        terms: badNav,
        entries: badCards,
        basePath,
        nav: badNav,
      }),
      renderEntry({
        site: bad,
        entry: badEntry,
        terms: badNav,
        contentType: article,
        basePath,
        nav: badNav,
        related: badCards,
        references: new Map([[mira, { title: text, url: text }]]),
      }),
      renderPage({
        site: bad,
        page: page(sections, { title: text }),
        basePath,
        nav: badNav,
        entriesByType: { article: badCards },
      }),
      renderIndex({
        site: bad,
        contentType: { ...article, title: text, description: text },
        entries: badCards,
        basePath,
      }),
      renderNotFound({ site: bad, basePath, nav: badNav }),
    ];
    for (const html of rendered) {
      one(html, 'h1');
      for (const { tag, attributes } of read(html)) {
        expect(['script', 'img', 'svg', 'iframe', 'form', 'base']).not.toContain(tag);
        expect(Object.keys(attributes).filter((name) => name.startsWith('on'))).toEqual([]);
        if (tag === 'a' && attributes.href)
          expect(attributes.href).toMatch(/^(#|\/sites\/gazette\/(?![/\\])|https?:|mailto:)/);
      }
      expect(html).not.toContain('\u202E');
    }
  });
});
