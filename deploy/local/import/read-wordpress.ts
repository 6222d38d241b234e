import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';
import { CommandError } from '../command-error.ts';
import { type ImportedDocument, type Source, slugOf } from './document.ts';
import { htmlToMarkdown, imageNote } from './html-to-markdown.ts';
import { paragraphs } from './wordpress-paragraphs.ts';

/** The elements of an item that matter, with the text of each. */
type Item = { fields: Record<string, string>; terms: { domain: string; name: string }[] };

const textLimit = 4 * 1024 * 1024;
const itemLimit = 100_000;

/** The posts of a WordPress export (WXR), read as a stream; `pages` takes its pages, too. */
export async function readWordPress(file: string, options: { pages?: boolean } = {}): Promise<Source> {
  const authors = new Map<string, string>();
  const documents: ImportedDocument[] = [];
  const others = new Map<string, number>();
  await readItems(file, {
    author: ({ fields }) => void authors.set(fields['wp:author_login'] ?? '', fields['wp:author_display_name'] ?? ''),
    item(item) {
      const { 'wp:post_type': type = 'post', 'wp:status': status = '' } = item.fields;
      const isText = type === 'post' || (type === 'page' && options.pages === true);
      if (isText && !['trash', 'auto-draft', 'inherit'].includes(status)) documents.push(documentOf(item, authors));
      else if (type !== 'revision') {
        const what = isText ? `${type} (${status})` : type;
        others.set(what, (others.get(what) ?? 0) + 1);
      }
    },
  });
  const skipped = [...others].map(([what, count]) => ({
    what: `${count} ${what}`,
    reason: what === 'page' ? 'pages are imported with --pages' : 'it is no text of the site',
  }));
  return { documents, skipped };
}

const states: Record<string, ImportedDocument['was']> = {
  publish: 'published',
  draft: 'draft',
  pending: 'draft',
  future: 'scheduled',
  private: 'private',
};

function documentOf({ fields, terms }: Item, authors: ReadonlyMap<string, string>): ImportedDocument {
  const title = (fields.title ?? '').trim();
  const login = fields['dc:creator'] ?? '';
  const author = authors.get(login) || login;
  const notes: string[] = [];
  const body = bodyOf(fields['content:encoded'] ?? '', notes);
  const name = decoded(fields['wp:post_name'] ?? '') || title || `post-${fields['wp:post_id'] ?? ''}`;
  const date = /^\d{4}-\d{2}-\d{2}/.exec(fields['wp:post_date'] ?? '')?.[0];
  const tags = [...new Set(terms.filter(({ domain }) => isTopic(domain)).map((term) => term.name.trim()))];
  const excerpt = (fields['excerpt:encoded'] ?? '').trim();
  const summary = excerpt === '' ? '' : htmlToMarkdown(excerpt).trim();
  if (fields['wp:post_password']) notes.push('It had a password there.');
  return {
    slug: slugOf(name),
    frontmatter: {
      title: title.slice(0, 300) || 'Untitled',
      ...(date !== undefined && !date.startsWith('0000') && { date }),
      ...(summary !== '' && { excerpt: summary.slice(0, 1000) }),
      ...(/^https?:\/\//.test(fields.link ?? '') && { source: fields.link!.slice(0, 2000) }),
      ...(author !== '' && { authors: [author] }),
      ...(tags.length > 0 && { tags }),
    },
    body,
    was: states[fields['wp:status'] ?? ''] ?? 'unknown',
    notes,
  };
}

/** A shop's attributes, menus and formats are no topics, and neither is the category of what has none. */
function isTopic(domain: string): boolean {
  return domain === 'category' || domain === 'post_tag';
}

function bodyOf(html: string, notes: string[]): string {
  const withoutCaptions = html.replace(/\[caption[^\]]*\]([\s\S]*?)\[\/caption\]/g, '<figure>$1</figure>');
  const shortcodes = new Set(
    [...withoutCaptions.matchAll(/\[([a-z][\w-]*)(?=[\s\]/])[^\]\n]*\](?!\()/g)].map(([, name]) => name),
  );
  for (const name of shortcodes) notes.push(`The shortcode [${name}] stands in the text as it is.`);
  try {
    const body = htmlToMarkdown(paragraphs(withoutCaptions));
    notes.push(...imageNote(body));
    return body;
  } catch {
    // Markup nested without end, say.
    notes.push('Its HTML could not be read, so it has no body.');
    return '';
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

type Sink = { author(item: Item): void; item(item: Item): void };

/**
 * Reads items one at a time, so that a large export needs no large memory. The parser is strict, loads nothing, and knows the five
 * entities of XML alone; a document type, which WordPress never writes, is refused.
 */
async function readItems(file: string, sink: Sink): Promise<void> {
  const parser = new SaxesParser({ xmlns: false });
  let item: Item | undefined;
  let within: string | undefined;
  let term: { domain: string; name: string } | undefined;
  let text = '';
  let items = 0;
  const fault = (problem: string) =>
    new CommandError(`${file} is not a WordPress export: line ${parser.line}: ${problem}. Nothing was imported.`);
  parser.on('error', (error) => {
    throw fault(error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, ''));
  });
  parser.on('doctype', () => {
    throw fault('it has a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'item' || name === 'wp:author') {
      if (++items > itemLimit) throw fault(`it has more than ${itemLimit} items`);
      item = { fields: {}, terms: [] };
    } else if (item !== undefined && within === undefined) {
      within = name;
      text = '';
      if (name === 'category') term = { domain: String(attributes.domain ?? ''), name: '' };
    }
  });
  const add = (more: string) => {
    if (within === undefined) return;
    text += more;
    if (text.length > textLimit) throw fault(`a text is longer than ${textLimit} characters`);
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    if (item !== undefined && within === name) {
      if (term !== undefined) item.terms.push({ ...term, name: text });
      // The first of several: later ones belong to comments and to other plugins.
      else if (!Object.hasOwn(item.fields, name)) item.fields[name] = text;
      within = undefined;
      term = undefined;
    } else if (item !== undefined && (name === 'item' || name === 'wp:author')) {
      (name === 'item' ? sink.item : sink.author)(item);
      item = undefined;
    }
  });
  for await (const chunk of createReadStream(file, 'utf8')) parser.write(chunk as string);
  parser.close();
  if (items === 0) throw new CommandError(`${file} holds no items of a WordPress export. Nothing was imported.`);
}
