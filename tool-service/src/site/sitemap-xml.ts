import type { SiteBody } from '@cloudhal/shared/site/shapes';
import { html } from '../render/html.ts';

/** A public path, when it last changed, and where it is in other locales. */
export type MapEntry = { path: string; at?: Date; alternates?: readonly { locale: string; path: string }[] };

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** The addresses of a site for search engines. `root` goes before every path. */
export function urlsXml(root: string, entries: readonly MapEntry[]): string {
  const urls = entries.map(
    ({ path, at, alternates = [] }) => html`<url><loc>${encodeURI(root + path)}</loc>${
      at && html`<lastmod>${at.toISOString()}</lastmod>`
    }${alternates.map(
      (other) => html`<xhtml:link rel="alternate" hreflang="${other.locale}" href="${encodeURI(root + other.path)}"/>`,
    )}</url>
`,
  );
  const set = html`<urlset xmlns="${schema}" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls}</urlset>
`;
  return head + set.text;
}

/** The list of a site's maps. */
export function indexXml(root: string, maps: number): string {
  const list = html`<sitemapindex xmlns="${schema}">
${Array.from(
  { length: maps },
  (_, index) => html`<sitemap><loc>${root}/sitemap-${index + 1}.xml</loc></sitemap>
`,
)}</sitemapindex>
`;
  return head + list.text;
}

export function robotsText({ seo }: Pick<SiteBody, 'seo'>, root: string): string {
  if (seo?.noindex) return 'User-agent: *\nDisallow: /\n';
  return `User-agent: *\nDisallow:\n\nSitemap: ${root}/sitemap.xml\n`;
}
