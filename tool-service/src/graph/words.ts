import { isId } from '@cloudhal/shared/ids';
import type { AssetBody } from '@cloudhal/shared/site/asset';
import type { EntryBody, PageBody } from '@cloudhal/shared/site/shapes';
import type { Link } from './node.ts';

/** Text beyond this many characters of one node is not searched. */
const searched = 100_000;

export function pageWords(page: PageBody): string {
  const words: string[] = [];
  eachString(
    page.sections.map((section) => section.props),
    (value, name) => {
      if (name !== 'href' && name !== 'type' && !isId(value)) words.push(value);
    },
  );
  return words.join('\n').slice(0, searched);
}

export function entryWords(entry: EntryBody): string {
  const words: string[] = [];
  eachString(entry.fields, (value, name) => {
    if (name !== 'title' && !isId(value)) words.push(value);
  });
  return [...words, entry.body].join('\n').slice(0, searched);
}

export function assetWords({ alt, caption = {}, credit = '', licence = '' }: AssetBody): string {
  return [...Object.values(alt), ...Object.values(caption), credit, licence].join('\n').slice(0, searched);
}

export function pageLinks(page: PageBody): Link[] {
  const links: Link[] = page.parent === undefined ? [] : [{ role: 'parent', target: page.parent }];
  for (const section of page.sections) {
    eachString(section.props, (value, name) => {
      if (name === 'href') links.push(...hrefLink(value, `section:${section.id}`));
      else if (name === 'markdown') links.push(...markdownLinks(value, `section:${section.id}`));
      else if (isId(value)) links.push({ role: `section:${section.id}`, target: value });
    });
  }
  return distinct(links);
}

// Targets of inline links and of reference definitions. Linear: no part can match what the next one can.
const targets =
  /\]\(\s{0,9}<?((?:\/|https?:\/\/)[^\s)>]{0,2000})|^\s{0,3}\[[^\]\n]{1,200}\]:[ \t]{0,9}<?((?:\/|https?:\/\/)[^\s>]{0,2000})/gm;

// Also ids that no asset can have: what is not there is refused, and not shown as a word.
const assets = /\basset:(as_[0-9A-Za-z_-]{1,64})/g;

/** Links in Markdown to paths of the site and to other sites, and the assets that it shows. */
export function markdownLinks(markdown: string, role: string): Link[] {
  return distinct([
    ...[...markdown.matchAll(targets)].flatMap((match) => hrefLink(match[1] ?? match[2] ?? '', role)),
    ...[...markdown.matchAll(assets)].map((match) => ({ role, target: match[1]! })),
  ]);
}

/** Fields that name a node by its id. No text of any other kind looks like one. */
export function fieldReferences(fields: Record<string, unknown>): Link[] {
  const links: Link[] = [];
  for (const [field, value] of Object.entries(fields)) {
    eachString(value, (target) => {
      if (isId(target)) links.push({ role: `field:${field}`, target });
    });
  }
  return distinct(links);
}

// An index takes no longer ones.
const longestTarget = 1_500;

/** A link to a path of the site, or to an address elsewhere as a browser would ask for it. */
export function hrefLink(href: string, role: string): Link[] {
  const target = href.startsWith('/') && !href.startsWith('//') ? pathOnly(href) : addressOf(href);
  return target === undefined || Buffer.byteLength(target) > longestTarget ? [] : [{ role, target }];
}

function addressOf(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  url.hash = '';
  return url.username === '' && url.password === '' ? url.href : undefined;
}

/** Without query, fragment and a slash at its end. */
export function pathOnly(href: string): string {
  const path = href.replace(/[?#].*$/s, '');
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}

function distinct(links: Link[]): Link[] {
  return [...new Map(links.map((link) => [`${link.role}\n${link.target}`, link])).values()];
}

/** Calls `visit` with each string in a JSON value and the name of the member that it stands in. */
export function eachString(value: unknown, visit: (value: string, name: string) => void, name = ''): void {
  if (typeof value === 'string') visit(value, name);
  else if (Array.isArray(value)) for (const item of value) eachString(item, visit, name);
  else if (typeof value === 'object' && value !== null) {
    for (const [member, inner] of Object.entries(value)) eachString(inner, visit, member);
  }
}
