import { type Context, link } from './context.ts';
import { type Html, html } from './html.ts';
import { localeSwitch } from './locale-links.ts';
import { footerMenu, headerMenu } from './menus.ts';

/** A line over every page, where the site has something to say to all. */
export function siteBanner(context: Context): Html | undefined {
  const { 'banner.text': text, 'banner.href': href, 'banner.label': label } = context.frame.chrome ?? {};
  if (!text) return undefined;
  const more = href && link(context, String(href), String(label || href));
  return html`<aside class="banner" aria-label="${context.words.notice}">${String(text)}${more && html` ${more}`}</aside>`;
}

export function siteHeader(context: Context): Html {
  const { site, words, frame } = context;
  const { nav = [], chrome = {} } = frame;
  return html`<header class="site-header">
${link(context, '/', site.title, { class: 'site-name' })}
${chrome['header.tagline'] && site.tagline && html`<p class="site-tagline">${site.tagline}</p>`}
${nav.length > 0 && html`<nav aria-label="${words.menu}">${headerMenu(context, nav)}</nav>`}
${chrome['header.locales'] !== false && localeSwitch(context)}
</header>`;
}

export function siteFooter(context: Context): Html {
  const { site, words, frame, basePath, prefix = '' } = context;
  const { footerNav = [], chrome = {}, feeds } = frame;
  const { 'footer.text': text } = chrome;
  const social = chrome['footer.social'] === false ? [] : (site.social ?? []);
  const feed = feeds && chrome['footer.feeds'] !== false && !context.preview;
  return html`<footer class="site-footer">
${footerNav.length > 0 && html`<nav aria-label="${words.footer}">${footerMenu(context, footerNav)}</nav>`}
${text && html`<p>${String(text)}</p>`}
<p>${site.title}${site.tagline && html` — ${site.tagline}`}</p>
${
  (social.length > 0 || feed) &&
  html`<ul>${social.map(({ label, url }) => html`<li>${link(context, url, label)}</li>`)}${
    feed && html`<li><a href="${basePath}${prefix}/feed.xml">RSS</a></li>`
  }</ul>`
}
</footer>`;
}
