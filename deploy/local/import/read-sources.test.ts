import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readGhost } from './read-ghost.ts';
import { readMarkdown } from './read-markdown.ts';
import { readWordPress } from './read-wordpress.ts';
import { wordpressExport, wordpressItem } from './testing/wordpress.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloudhal-sources-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const wordpress = (items: string, options = {}) => readWordPress(file('export.xml', wordpressExport(items)), options);

describe('an export of WordPress', () => {
  it('becomes documents with author, terms, dates and Markdown', async () => {
    const item = wordpressItem(
      {
        title: 'The ferry & the tide',
        link: 'https://old.example/?p=7',
        'content:encoded': `The <strong>ferry</strong> is back.
Twice an hour.

<h2>Why</h2>
It was [caption id="a" width="3"]<img src="https://old.example/boat.jpg" alt="A boat"> Our boat[/caption]

<pre>a

b</pre>
[gallery ids="1,2"]`,
        'excerpt:encoded': 'It is <em>back</em>.',
        'wp:post_id': '7',
        'wp:post_date': '2019-05-04 10:11:12',
        'wp:post_name': 'ferry-%C3%BC-tide',
      },
      `<category domain="category" nicename="boats"><![CDATA[Boats]]></category><category domain="post_format" nicename="aside"><![CDATA[Aside]]></category>
       <wp:comment><wp:comment_author><![CDATA[Eve]]></wp:comment_author><title>x</title></wp:comment>`,
    );
    const { documents } = await wordpress(item);
    expect(documents).toEqual([
      {
        slug: 'ferry-u-tide',
        frontmatter: {
          title: 'The ferry & the tide',
          date: '2019-05-04',
          excerpt: 'It is *back*.',
          source: 'https://old.example/?p=7',
          authors: ['Ada Lovelace'],
          tags: ['Boats'],
        },
        body: expect.stringContaining('The **ferry** is back.'),
        was: 'published',
        notes: ['The shortcode [gallery] stands in the text as it is.', 'One image stays at the address that it has.'],
      },
    ]);
    const { body } = documents[0]!;
    expect(body).toContain('## Why');
    expect(body).toContain('![A boat](https://old.example/boat.jpg)');
    expect(body).toContain('```\na\n\nb\n```');
    expect(body).not.toContain('caption');
  });

  it('tells what is a draft, and leaves out what is no text', async () => {
    const items = [
      wordpressItem({ title: 'Later', 'wp:status': 'future' }),
      wordpressItem({
        title: 'Unfinished',
        'wp:status': 'draft',
        'content:encoded': '<!-- wp:paragraph --><p>Hm.</p><!-- /wp:paragraph -->',
      }),
      wordpressItem({ title: 'Gone', 'wp:status': 'trash' }),
      wordpressItem({ title: 'About', 'wp:post_type': 'page' }),
      wordpressItem({ title: 'boat.jpg', 'wp:post_type': 'attachment', 'wp:status': 'inherit' }),
    ].join('');
    const { documents, skipped } = await wordpress(items);
    expect(documents.map(({ slug, was, body }) => [slug, was, body])).toEqual([
      ['later', 'scheduled', ''],
      ['unfinished', 'draft', 'Hm.\n'],
    ]);
    expect(skipped.map(({ what }) => what)).toEqual(['1 post (trash)', '1 page', '1 attachment']);
    expect((await wordpress(items, { pages: true })).documents.map(({ slug }) => slug)).toContain('about');
  });

  it.each([
    [
      'a document type',
      '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel><item><title>&b;</title></item></channel></rss>',
    ],
    ['an entity from elsewhere', '<rss><channel><item><title>&xxe;</title></item></channel></rss>'],
    ['an end that is missing', '<rss><channel><item><title>x</title>'],
    ['no items', '<rss><channel></channel></rss>'],
    ['something else', '{"db": []}'],
  ])('with %s is refused whole', async (_, text) => {
    await expect(readWordPress(file('bad.xml', text))).rejects.toThrow(/Nothing was imported/);
  });

  it('with markup nested without end is read all the same', async () => {
    const deep = `${'<div>'.repeat(50_000)}x`;
    const { documents } = await wordpress(
      wordpressItem({ title: 'Deep', 'content:encoded': deep }) +
        wordpressItem({ title: 'Fine', 'content:encoded': '<p>y</p>' }),
    );
    expect(documents.map(({ body }) => body)).toEqual(['x\n', 'y\n']);
  });
});

describe('an export of Ghost', () => {
  const data = {
    posts: [
      {
        id: 'p1',
        title: 'Hello',
        slug: 'hello',
        html: '<p>See <a href="__GHOST_URL__/about/">about</a>.</p><script>alert(1)</script><figure><img src="https://old.example/a.png" alt=""><figcaption>A boat</figcaption></figure><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
        status: 'published',
        published_at: '2021-02-03T04:05:06.000Z',
        custom_excerpt: 'Hi.',
        feature_image: 'https://old.example/f.png',
        visibility: 'members',
      },
      { id: 'p2', title: 'Draft', slug: 'draft', html: null, plaintext: 'Only text', status: 'draft' },
      { id: 'p3', title: 'About', slug: 'about', html: '<p>x</p>', status: 'published', type: 'page' },
    ],
    users: [{ id: 'u1', name: 'Ada Lovelace' }],
    posts_authors: [{ post_id: 'p1', author_id: 'u1', sort_order: 0 }],
    tags: [
      { id: 't1', name: 'Boats', visibility: 'public' },
      { id: 't2', name: '#internal', visibility: 'internal' },
    ],
    posts_tags: [
      { post_id: 'p1', tag_id: 't2', sort_order: 0 },
      { post_id: 'p1', tag_id: 't1', sort_order: 1 },
    ],
    posts_meta: [{ post_id: 'p1', meta_title: 'Hello!', meta_description: 'All of it.' }],
  };

  it('becomes documents with authors, tags and what search engines are told', async () => {
    const { documents, skipped } = await readGhost(file('ghost.json', JSON.stringify({ db: [{ data }] })));
    expect(documents.map(({ slug, was }) => [slug, was])).toEqual([
      ['hello', 'published'],
      ['draft', 'draft'],
    ]);
    const [hello, draft] = documents;
    expect(hello!.frontmatter).toEqual({
      title: 'Hello',
      date: '2021-02-03',
      excerpt: 'Hi.',
      seoTitle: 'Hello!',
      seoDescription: 'All of it.',
      authors: ['Ada Lovelace'],
      tags: ['Boats'],
    });
    expect(hello!.body.replace(/ +/g, ' ')).toBe(
      'See [about](/about/).\n\n![](https://old.example/a.png)\n\n*A boat*\n\n| a |\n| --- |\n| 1 |\n',
    );
    expect(hello!.notes).toEqual([
      'One image stays at the address that it has.',
      'Its feature image is not imported.',
      'It was for members alone there.',
    ]);
    expect(draft!.body).toBe('Only text\n');
    expect(skipped).toEqual([{ what: '1 page', reason: 'pages are imported with --pages' }]);
  });

  it('that is none is refused', async () => {
    await expect(readGhost(file('x.json', '{"db": 1}'))).rejects.toThrow(/not an export of Ghost/);
  });
});

describe('a folder of Markdown', () => {
  it('whose frontmatter cannot be read are all named, with the line', async () => {
    const broken = mkdtempSync(join(folder, 'broken-'));
    writeFileSync(join(broken, 'a.md'), '---\ntitle: Fine\n---\nText.\n');
    writeFileSync(join(broken, 'b.md'), '---\nsummary: x\ntitle: [broken\n---\nText.\n');
    writeFileSync(join(broken, 'c.md'), '---\njust words\n---\nText.\n');
    await expect(readMarkdown(broken)).rejects.toThrow(
      /^Nothing was imported\.\n {2}b\.md, line [34]: the frontmatter is not YAML: .+\n {2}c\.md: the frontmatter is not a list/,
    );
  });

  it('may have frontmatter in several ways, and bodies stay as they are', async () => {
    const at = mkdtempSync(join(folder, 'md-'));
    writeFileSync(
      join(at, 'a.md'),
      '\uFEFF---\r\ntitle: A\r\ndate: 2020-01-02\r\ndraft: true\r\n---\r\n\r\nText  \r\n',
    );
    writeFileSync(join(at, 'b.md'), '---\n---\n# B\n\n---\n');
    writeFileSync(join(at, 'c.md'), 'No heading');
    const { documents } = await readMarkdown(at);
    expect(documents.map(({ frontmatter, body, was }) => [frontmatter, body, was])).toEqual([
      [{ title: 'A', date: '2020-01-02' }, '\r\nText  \r\n', 'draft'],
      [{ title: 'B' }, '# B\n\n---\n', 'unknown'],
      [{ title: 'c' }, 'No heading', 'unknown'],
    ]);
  });
});
