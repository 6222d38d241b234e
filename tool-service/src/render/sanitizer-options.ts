import type { Attributes, IOptions, Tag } from 'sanitize-html';
import { type Place, resolveLink } from './links.ts';
import { type Assets, assetAddress, assetIdOf, imageAttributes } from './media.ts';

export type SanitizerSettings = Place & {
  level: (level: number) => number;
  id: (text: string) => string | undefined;
  untrusted?: boolean;
  assets?: Assets;
  locale?: string | undefined;
  site?: { defaultLocale: string };
};

const allowedTags = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['a', 'img', 'figure', 'figcaption', 'details', 'summary', 'div', 'span'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['em', 'strong', 'i', 'b', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'sup', 'abbr', 'cite', 'q', 'time'],
  ...['code', 'kbd', 'samp', 'var', 'bdi', 'bdo'],
];

/** Elements whose content is dropped with them: it is not text, or a browser reads it by other rules. */
const dropped = [
  ...['script', 'style', 'template', 'noscript', 'svg', 'math', 'iframe', 'object', 'embed', 'textarea', 'select'],
  ...['option', 'title', 'xmp', 'plaintext', 'noembed', 'noframes', 'audio', 'video', 'canvas'],
];

const allowedAttributes: IOptions['allowedAttributes'] = {
  '*': ['lang', 'dir'],
  a: ['href', 'title', 'rel', 'role', 'aria-disabled'],
  img: ['src', 'srcset', 'sizes', 'alt', 'title', 'width', 'height', 'loading', 'decoding'],
  abbr: ['title'],
  time: ['datetime'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
  details: ['open'],
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, ['id']])),
};

/** What may stand in a body, and how links, images and headings of it are changed to stand on this page. */
export function sanitizerOptions(settings: SanitizerSettings): IOptions {
  const heading = (name: string, { id, ...rest }: Attributes): Tag => {
    const named = id === undefined ? undefined : settings.id(id);
    return { tagName: `h${settings.level(Number(name[1]))}`, attribs: named ? { ...rest, id: named } : rest };
  };
  return {
    allowedTags,
    nonTextTags: dropped,
    disallowedTagsMode: 'discard',
    nestingLimit: 100,
    allowedAttributes,
    allowedClasses: {
      code: [/^language-[\w+#-]{1,32}$/],
      th: ['align-left', 'align-center', 'align-right'],
      td: ['align-left', 'align-center', 'align-right'],
      span: ['absent-image'],
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs.src === undefined,
    // Links were resolved by then; these only hold a second time.
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: [] },
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    transformTags: {
      a: (_, attribs) => ({ tagName: 'a', attribs: link(attribs, settings) }),
      img: (_, attribs) => image(attribs, settings),
      th: (tagName, attribs) => ({ tagName, attribs: { scope: 'col', ...attribs } }),
      ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, heading])),
    },
  };
}

function link({ href, title }: Attributes, settings: SanitizerSettings): Attributes {
  const id = href === undefined ? undefined : assetIdOf(href);
  const asset = id === undefined ? undefined : settings.assets?.get(id);
  if (asset) return { href: assetAddress(settings, id!, asset), ...(title !== undefined && { title }) };
  const found = href === undefined ? undefined : resolveLink(href, settings);
  const attribs: Attributes = title === undefined ? {} : { title };
  if (found === undefined) return attribs;
  if (found.kind === 'internal' && settings.preview) return { ...attribs, role: 'link', 'aria-disabled': 'true' };
  attribs.href = found.href;
  if (found.kind === 'external')
    attribs.rel = settings.untrusted ? 'noopener noreferrer nofollow ugc' : 'noopener noreferrer';
  return attribs;
}

/** Images come from the site itself: another host would learn who reads the page. */
function image({ src, alt, title, width, height }: Attributes, settings: SanitizerSettings): Tag {
  const asset = src === undefined ? undefined : assetImage(src, alt, settings);
  if (asset) return { tagName: 'img', attribs: { ...asset, ...(title !== undefined && { title }) } };
  const found = src === undefined ? undefined : resolveLink(src, { ...settings, prefix: '' });
  if (found?.kind !== 'internal') return { tagName: 'img', attribs: {} };
  const attribs: Attributes = { src: found.href, alt: alt ?? '', loading: 'lazy', decoding: 'async' };
  if (title !== undefined) attribs.title = title;
  for (const [name, value] of Object.entries({ width, height }))
    if (/^\d{1,5}$/.test(value ?? '')) attribs[name] = value!;
  return { tagName: 'img', attribs };
}

/** An image of the site in its sizes; what is said of it stands in where the text says nothing. */
function assetImage(src: string, alt: string | undefined, settings: SanitizerSettings): Attributes | undefined {
  const id = assetIdOf(src);
  const { assets, locale = '', site } = settings;
  if (id === undefined || !assets) return undefined;
  const defaultLocale = site?.defaultLocale ?? locale;
  return imageAttributes(settings, assets, id, { ...(alt !== undefined && { alt }), locale, defaultLocale }) as
    | Attributes
    | undefined;
}
