import { Feed } from 'feed';
import { html } from '../render/html.ts';

export type Channel = {
  title: string;
  description?: string;
  locale: string;
  home: string;
  /** The address of a feed by its name, such as `/feed.xml`. */
  self(name: string): string;
};

export type FeedItem = {
  id: string;
  title: string;
  link: string;
  date: Date;
  summary?: string;
  /** Its lead image; `length` in bytes. */
  enclosure?: { url: string; type: string; length: number };
};

/** Entries as RSS 2.0 or Atom. */
export function writeFeed(format: 'rss' | 'atom', channel: Channel, items: readonly FeedItem[]): string {
  const { title, description, locale, home, self } = channel;
  const feed = new Feed({
    title: clean(title),
    id: home,
    link: home,
    ...(description !== undefined && { description: clean(description) }),
    language: locale,
    // Of what is in it, so that an unchanged feed is the same text.
    updated: items[0]?.date ?? new Date(0),
    feedLinks: { rss: self('/feed.xml'), atom: self('/atom.xml') },
    generator: 'Cloudhal',
    copyright: '',
  });
  for (const { summary, ...item } of items) {
    // The titles of Atom and all summaries are read as HTML, those of RSS as text.
    const title = format === 'atom' ? asHtml(item.title) : clean(item.title);
    feed.addItem({ ...item, title, ...(summary !== undefined && { description: asHtml(summary) }) });
  }
  return format === 'rss' ? feed.rss2() : feed.atom1();
}

function asHtml(text: string): string {
  return html`${clean(text)}`.text;
}

/** XML has no words for other control characters, and those that reorder text could make a title say something else. */
function clean(text: string): string {
  return text.replace(/[\0-\b\v\f\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/gu, '');
}
