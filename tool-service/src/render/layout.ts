import { siteBanner, siteFooter, siteHeader } from './chrome.ts';
import type { Context, PreviewView } from './context.ts';
import { type Html, html, raw } from './html.ts';
import { addressOf, alternateLinks } from './locale-links.ts';
import { imageAttributes } from './media.ts';
import { previewBanner } from './preview-banner.ts';
import { styleSheet } from './theme-css.ts';
import { directionOf } from './words.ts';

export type PageFrame = {
  context: Context;
  title: string;
  description?: string;
  noindex?: boolean;
  /** Absent for a page that is not an address of the site. */
  canonical?: string;
  ogType?: 'website' | 'article';
  /** The asset that stands for it where somebody shares it. */
  image?: string | undefined;
  view?: PreviewView;
  main: Html;
};

/** A whole document around the main part of a page. */
export function layout({ context, view, main, ...head }: PageFrame): string {
  const { locale, words } = context;
  const page = html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
${headOf(context, head, view)}
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
${view && previewBanner(view)}
${siteBanner(context)}
${siteHeader(context)}
<main id="content" tabindex="-1">
${main}
</main>
${siteFooter(context)}
</body>
</html>
`;
  return page.text;
}

function feedLinks({ site, basePath, prefix = '' }: Context): Html {
  return html`<link rel="alternate" type="application/rss+xml" title="${site.title}" href="${basePath}${prefix}/feed.xml">
<link rel="alternate" type="application/atom+xml" title="${site.title}" href="${basePath}${prefix}/atom.xml">`;
}

function shareImage(context: Context, id: string): Html | undefined {
  const { assets, locale, site } = context;
  const attributes = imageAttributes(context, assets, id, { locale, defaultLocale: site.defaultLocale });
  if (!attributes || assets.get(id)!.type === 'image/svg+xml') return undefined;
  const { src, alt, width, height } = attributes;
  return html`<meta property="og:image" content="${context.frame.origin ?? ''}${src}">
<meta property="og:image:width" content="${width ?? ''}">
<meta property="og:image:height" content="${height ?? ''}">
<meta property="og:image:alt" content="${alt}">`;
}

function headOf(
  context: Context,
  { title, description, noindex, canonical, ogType = 'website', image }: Omit<PageFrame, 'context' | 'view' | 'main'>,
  view?: PreviewView,
): Html {
  const { site } = context;
  const whole = title === site.title ? title : `${title} · ${site.title}`;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${whole}</title>
${description && html`<meta name="description" content="${description}">`}
${(noindex || view) && html`<meta name="robots" content="noindex">`}
${view && html`<meta name="referrer" content="no-referrer">`}
${canonical && !view && html`<link rel="canonical" href="${addressOf(context, canonical)}">`}
${canonical && !view && !noindex && alternateLinks(context)}
${context.frame.feeds && !view && feedLinks(context)}
<meta property="og:title" content="${title}">
<meta property="og:type" content="${ogType}">
<meta property="og:site_name" content="${site.title}">
<meta property="og:locale" content="${context.locale.replace('-', '_')}">
${canonical && !view && html`<meta property="og:url" content="${addressOf(context, canonical)}">`}
${description && html`<meta property="og:description" content="${description}">`}
${image && !view && shareImage(context, image)}
<style>${raw(styleSheet(context.frame.design))}</style>`;
}
