import type { Context, PreviewView } from './context.ts';
import { link } from './context.ts';
import { type Html, html, raw } from './html.ts';
import { addressOf, alternateLinks, localeSwitch } from './locale-links.ts';
import { previewBanner } from './preview-banner.ts';
import { themeCss } from './theme-css.ts';
import { directionOf } from './words.ts';

export type PageFrame = {
  context: Context;
  title: string;
  description?: string;
  noindex?: boolean;
  /** Absent for a page that is not an address of the site. */
  canonical?: string;
  ogType?: 'website' | 'article';
  view?: PreviewView;
  main: Html;
};

/** A whole document around the main part of a page. */
export function layout({ context, view, main, ...head }: PageFrame): string {
  const { site, locale, words } = context;
  const { nav = [] } = context.frame;
  const page = html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
${headOf(context, head, view)}
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
${view && previewBanner(view)}
<header class="site-header">
${link(context, '/', site.title, { class: 'site-name' })}
${nav.length > 0 && html`<nav aria-label="${words.menu}"><ul>${nav.map(({ label, path }) => html`<li>${link(context, path, label)}</li>`)}</ul></nav>`}
${localeSwitch(context)}
</header>
<main id="content" tabindex="-1">
${main}
</main>
<footer class="site-footer">
<p>${site.title}${site.tagline && html` — ${site.tagline}`}</p>
${site.social?.length ? html`<ul>${site.social.map(({ label, url }) => html`<li>${link(context, url, label)}</li>`)}</ul>` : undefined}
</footer>
</body>
</html>
`;
  return page.text;
}

function headOf(
  context: Context,
  { title, description, noindex, canonical, ogType = 'website' }: Omit<PageFrame, 'context' | 'view' | 'main'>,
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
<meta property="og:title" content="${title}">
<meta property="og:type" content="${ogType}">
<meta property="og:site_name" content="${site.title}">
<meta property="og:locale" content="${context.locale.replace('-', '_')}">
${canonical && !view && html`<meta property="og:url" content="${addressOf(context, canonical)}">`}
${description && html`<meta property="og:description" content="${description}">`}
<style>${raw(themeCss)}</style>`;
}
