import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyBody, bodies } from '../body/testing/bodies.ts';
import { type ProseOptions, prose } from './prose.ts';
import { hostile } from './testing/hostile.ts';
import { type Element, readHtml } from './testing/read-html.ts';

function options(more: Partial<ProseOptions> = {}): ProseOptions {
  const names = { table: 'Table', code: 'Code' };
  return {
    basePath: '/sites/s',
    path: '/articles/a',
    preview: false,
    top: 2,
    ids: new Set(['content']),
    names,
    ...more,
  };
}

function elements(markdown: string, more?: Partial<ProseOptions>): Element[] {
  return readHtml(prose(markdown, options(more)).text);
}

const allowedTags =
  /^(h[2-6]|p|br|hr|blockquote|pre|[uod]l|li|d[td]|a|img|fig(ure|caption)|details|summary|div|span|table|caption|t(head|body|foot|r|h|d)|em|strong|[ibusq]|del|ins|mark|small|su[bp]|abbr|cite|time|code|kbd|samp|var|bd[io])$/;
const allowedAttributes = new Set(
  'href title rel role aria-disabled aria-label src alt width height loading decoding datetime start reversed type value colspan rowspan scope open id class lang dir tabindex'.split(
    ' ',
  ),
);

function expectHarmless(found: Element[]) {
  const ids = found.map(({ attributes }) => attributes.id).filter((id) => id !== undefined);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toContain('content');
  for (const { tag, attributes } of found) {
    expect(tag).toMatch(allowedTags);
    for (const name of Object.keys(attributes)) expect(allowedAttributes).toContain(name);
    if (attributes.src !== undefined) expect(attributes.src).toMatch(/^\/sites\/s\/[^/\\]/);
    if (attributes.href !== undefined)
      expect(attributes.href).toMatch(/^(#|\/sites\/s\/(?![/\\])|https?:\/\/|mailto:|tel:)/);
    if (tag === 'img') expect(attributes.alt).toBeDefined();
  }
}

describe('hostile Markdown', () => {
  test.each(hostile)('does no harm: %j', (text) => {
    for (const markdown of [text, `a ${text} b`, `> - ${text}`, `[${text}](/x)`, `<div>${text}`, `# ${text}`]) {
      expectHarmless(elements(markdown));
    }
  });

  test('does no harm whatever it is mixed with', () => {
    const piece = fc.oneof(
      fc.constantFrom(...hostile),
      anyBody,
      fc.constantFrom('<', '>', '"', "'", '`', '\\', '\n\n', '<p>', '</p>'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => expectHarmless(elements(pieces.join('')))),
      { numRuns: 300 },
    );
  });

  test.each([
    ['brackets', '['.repeat(50_000)],
    ['images', '!['.repeat(50_000)],
    ['emphasis', '*a _b'.repeat(20_000)],
    ['quotes', '>'.repeat(50_000)],
    ['tags', '<b><i><u>'.repeat(10_000)],
    ['unclosed tags', '<a href="'.repeat(10_000)],
    ['comments', '<!--'.repeat(20_000)],
    ['entities', '&#x'.repeat(30_000)],
    ['table cells', `${'a|'.repeat(20_000)}\n${'-|'.repeat(20_000)}\n${'a|\n'.repeat(5_000)}`],
  ])('is rendered without much ado: %s', (_, markdown) => {
    expectHarmless(elements(markdown));
  });

  test('shows a paragraph that is too long as it was written', () => {
    const text = `*a* ${'x'.repeat(60_000)}`;
    const [paragraph, ...rest] = elements(text);
    expect(rest).toEqual([]);
    expect(paragraph!.text.trim() === text).toBe(true);
  });
});

describe('Markdown', () => {
  test.each(Object.entries(bodies))('is well-formed HTML: %s', (_, markdown) => {
    expectHarmless(elements(markdown));
  });

  test('starts its headings below the page title and leaves no level out', () => {
    const headings = (markdown: string) => elements(markdown).map(({ tag }) => tag);
    expect(headings('# a\n## b\n#### c\n# d')).toEqual(['h2', 'h3', 'h4', 'h2']);
    expect(headings('### a\n## b\n### c\n<h1>d</h1>\n\n###### e')).toEqual(['h2', 'h2', 'h3', 'h2', 'h3']);
    expect(headings('# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6')).toEqual(['h2', 'h3', 'h4', 'h5', 'h6', 'h6']);
  });

  test('names its headings so that links can point at them, each differently', () => {
    const ids = elements('# Über uns\n# Content\n# *Über* uns\n# 漢字\n# !').flatMap(({ tag, attributes }) =>
      tag === 'h2' ? [attributes.id] : [],
    );
    expect(ids).toEqual(['über-uns', 'content-2', 'über-uns-2', '漢字', undefined]);
  });

  test('links to the site under its address, and says of other hosts that they get no referrer', () => {
    const [, own, other] = elements('[a](/about) [b](https://example.org/x)');
    expect(own!.attributes).toEqual({ href: '/sites/s/about' });
    expect(other!.attributes).toEqual({ href: 'https://example.org/x', rel: 'noopener noreferrer' });
  });

  test('tells search engines not to trust the links of text from outside', () => {
    const [, found] = elements('[b](https://example.org)', { untrusted: true });
    expect(found!.attributes.rel).toContain('nofollow');
  });

  test('has no way to other pages of the site in a preview', () => {
    const found = elements('[a](/about) [b](two) [c](#part) [d](https://example.org)', { preview: true });
    expect(found.filter(({ tag }) => tag === 'a').map(({ attributes }) => attributes.href)).toEqual([
      undefined,
      undefined,
      '#part',
      'https://example.org/',
    ]);
  });

  test('shows images of the site with their alternative text, and of other hosts only that text', () => {
    const found = elements(
      '![A weir](/media/weir.png "At dawn") ![Elsewhere](https://example.org/a.png) ![](/media/line.png)',
    );
    expect(
      found.filter(({ tag }) => tag === 'img').map(({ attributes: { src, alt, title } }) => [src, alt, title]),
    ).toEqual([
      ['/sites/s/media/weir.png', 'A weir', 'At dawn'],
      ['/sites/s/media/line.png', '', undefined],
    ]);
    expect(found[0]!.text).toContain('Elsewhere');
  });

  test('lets wide tables and code scroll, with a keyboard too', () => {
    const found = elements('| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n```js\nx < y\n```');
    const [scroll] = found;
    expect(scroll!.attributes).toMatchObject({ class: 'scroll', tabindex: '0', 'aria-label': 'Table' });
    expect(found.filter(({ tag }) => tag === 'th').map(({ attributes }) => attributes)).toEqual([
      { scope: 'col', class: 'align-center' },
      { scope: 'col', class: 'align-right' },
    ]);
    expect(found.find(({ tag }) => tag === 'pre')!.attributes).toMatchObject({ tabindex: '0', 'aria-label': 'Code' });
    expect(found.at(-1)).toMatchObject({ tag: 'code', attributes: { class: 'language-js' } });
  });

  test('keeps the HTML that writers use', () => {
    const found = elements(
      '<figure><figcaption>x</figcaption></figure>\n\nH<sub>2</sub>O <kbd>Esc</kbd> <abbr title="y">z</abbr>',
    );
    expect(found.map(({ tag }) => tag)).toEqual(['figure', 'figcaption', 'p', 'sub', 'kbd', 'abbr']);
  });
});
