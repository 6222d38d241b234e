import { readFile, stat } from 'node:fs/promises';
import { CommandError } from '../command-error.ts';
import { type ImportedDocument, type Source, slugOf } from './document.ts';
import { htmlToMarkdown, imageNote } from './html-to-markdown.ts';

const largest = 256 * 1024 * 1024;

type Row = Record<string, unknown>;
type Tables = Record<string, Row[]>;

/** The posts of a Ghost export (JSON); `pages` takes its pages, too. */
export async function readGhost(file: string, options: { pages?: boolean } = {}): Promise<Source> {
  const tables = await readTables(file);
  const posts = tables.posts ?? [];
  const isPage = (post: Row) => post.type === 'page' || post.page === true || post.page === 1;
  const pages = posts.filter(isPage);
  const texts = options.pages ? posts : posts.filter((post) => !isPage(post));
  const names = linked(tables);
  const documents = texts.map((post) => documentOf(post, names));
  const skipped =
    !options.pages && pages.length > 0
      ? [{ what: `${pages.length} page`, reason: 'pages are imported with --pages' }]
      : [];
  return { documents, skipped };
}

async function readTables(file: string): Promise<Tables> {
  const { size } = await stat(file);
  if (size > largest) throw new CommandError(`${file} is larger than ${largest} bytes. Nothing was imported.`);
  try {
    const whole: unknown = JSON.parse(await readFile(file, 'utf8'));
    const { db, data } = whole as { db?: { data?: unknown }[]; data?: unknown };
    const found = db?.[0]?.data ?? data;
    if (typeof found === 'object' && found !== null && Array.isArray((found as Tables).posts)) {
      return Object.fromEntries(Object.entries(found).filter(([, rows]) => Array.isArray(rows)) as [string, Row[]][]);
    }
  } catch {
    // Said below.
  }
  throw new CommandError(`${file} is not an export of Ghost. Nothing was imported.`);
}

type Linked = {
  authors: ReadonlyMap<unknown, string[]>;
  tags: ReadonlyMap<unknown, string[]>;
  meta: ReadonlyMap<unknown, Row>;
};

/** What tables beside the posts say of each, by the post's id. */
function linked(tables: Tables): Linked {
  const join = (rows: Row[] = [], key: string, others: Row[] = []) => {
    const names = new Map(others.map((row) => [row.id, row]));
    const found = new Map<unknown, string[]>();
    const ordered = rows.toSorted((a, b) => Number(a.sort_order ?? 0) - Number(b.sort_order ?? 0));
    for (const row of ordered) {
      const other = names.get(row[key]);
      // Tags that begin with # are for editors alone.
      if (typeof other?.name !== 'string' || other.visibility === 'internal' || other.name.startsWith('#')) continue;
      found.set(row.post_id, [...(found.get(row.post_id) ?? []), other.name]);
    }
    return found;
  };
  return {
    authors: join(tables.posts_authors, 'author_id', tables.users),
    tags: join(tables.posts_tags, 'tag_id', tables.tags),
    meta: new Map((tables.posts_meta ?? []).map((row) => [row.post_id, row])),
  };
}

const states: Record<string, ImportedDocument['was']> = {
  published: 'published',
  sent: 'published',
  draft: 'draft',
  scheduled: 'scheduled',
};

function documentOf(post: Row, { authors, tags, meta }: Linked): ImportedDocument {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  const extra = meta.get(post.id) ?? post;
  const title = text(post.title);
  const notes: string[] = [];
  const body = bodyOf(post, notes);
  const date = /^\d{4}-\d{2}-\d{2}/.exec(text(post.published_at))?.[0];
  const optional = {
    date,
    excerpt: text(post.custom_excerpt).slice(0, 1000),
    seoTitle: text(extra.meta_title).slice(0, 200),
    seoDescription: text(extra.meta_description).slice(0, 500),
    source: /^https?:\/\//.test(text(post.canonical_url)) ? text(post.canonical_url).slice(0, 2000) : '',
  };
  if (text(post.feature_image) !== '') notes.push('Its feature image is not imported.');
  if (text(post.visibility) !== '' && post.visibility !== 'public') notes.push('It was for members alone there.');
  return {
    slug: slugOf(text(post.slug) || title),
    frontmatter: {
      title: title.slice(0, 300) || 'Untitled',
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)),
      ...(authors.has(post.id) && { authors: authors.get(post.id) }),
      ...(tags.has(post.id) && { tags: tags.get(post.id) }),
    },
    body,
    was: states[text(post.status)] ?? 'unknown',
    notes,
  };
}

/** Ghost keeps the HTML that readers saw beside the form that its editor works on. */
function bodyOf(post: Row, notes: string[]): string {
  if (typeof post.html !== 'string') {
    if (typeof post.plaintext === 'string') return `${post.plaintext.trim()}\n`;
    notes.push('It has no HTML, so it has no body.');
    return '';
  }
  try {
    const body = htmlToMarkdown(post.html.replaceAll('__GHOST_URL__', ''));
    notes.push(...imageNote(body));
    return body;
  } catch {
    notes.push('Its HTML could not be read, so it has no body.');
    return '';
  }
}
