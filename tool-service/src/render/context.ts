import type { SiteBody } from '@cloudhal/shared/site/shapes';
import type { Design } from '../design/tokens.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import { type Place, resolveLink } from './links.ts';
import type { Assets } from './media.ts';
import { type Words, wordsFor } from './words.ts';

/** A preview says so; a live page has no view. */
export type PreviewView = {
  /** Which state it shows. */
  state: 'draft' | 'live' | 'snapshot' | 'release';
  /** The id of the snapshot that it was made from. */
  snapshot: string;
  /** ISO 8601. */
  expiresAt: string;
};

/** An item of the site's navigation. */
export type NavItem = { label: string; path: string };

/** An item of a menu; without a path it is a heading over its children. */
export type MenuLink = { label: string; path?: string; children?: MenuLink[] };

/** An entry as lists show it. */
export type EntryCard = {
  title: string;
  path: string;
  summary?: string;
  /** YYYY-MM-DD */
  date?: string;
  /** The id of its lead image. */
  image?: string;
};

/** The same page in a locale, by its public path. */
export type Alternate = { locale: string; path: string };

/** What surrounds every page of a site in one locale. */
export type SiteFrame = {
  site: SiteBody;
  basePath: string;
  /** `https://host`, for addresses that have to be whole. */
  origin?: string | undefined;
  /** Of what surrounds the page; the site's default when absent. */
  locale?: string | undefined;
  nav?: MenuLink[];
  footerNav?: MenuLink[];
  /** How it looks; the theme's own design when absent. */
  design?: Design;
  /** Header, banner and footer, by slot; see chrome/slots. */
  chrome?: Record<string, string | boolean>;
  /** The images and documents that the page shows, those that its reader may see. */
  assets?: Assets;
  /** Its entries can be read as a feed. */
  feeds?: boolean;
  /** Where the page is in each locale that readers have it in, its own among them. */
  alternates?: readonly Alternate[];
};

/** What every part of a page is rendered in. */
export type Context = Place & {
  frame: SiteFrame;
  site: SiteBody;
  locale: string;
  words: Words;
  assets: Assets;
  /** The ids used on the page so far. */
  ids: Set<string>;
};

export function contextOf(
  frame: SiteFrame,
  { path, locale, preview = false, ids = [] }: { path: string; locale: string; preview?: boolean; ids?: string[] },
): Context {
  const { site, basePath } = frame;
  const prefix = locale === site.defaultLocale ? '' : `/${locale}`;
  const taken = new Set(['content', ...ids]);
  return {
    frame,
    site,
    basePath,
    path,
    prefix,
    preview,
    locale,
    words: wordsFor(locale),
    ids: taken,
    assets: frame.assets ?? new Map(),
  };
}

/** A link to a path of the site, or to an address; in a preview the site's own lead nowhere. */
export function link(context: Context, href: string, label: Html | string, attributes: { class?: string } = {}): Html {
  const found = resolveLink(href, context);
  const named = attributes.class && html` class="${attributes.class}"`;
  if (found === undefined) return html`<span${named}>${label}</span>`;
  if (found.kind === 'internal' && context.preview)
    return html`<a role="link" aria-disabled="true"${named}>${label}</a>`;
  const current = found.kind === 'internal' && found.href === context.basePath + context.path;
  return html`<a href="${found.href}"${named}${found.kind === 'external' && html` rel="noopener noreferrer"`}${
    current && html` aria-current="page"`
  }>${label}</a>`;
}
