import { localeName } from '../content/locales.ts';
import type { Context } from './context.ts';
import { type Html, html } from './html.ts';
import { directionOf } from './words.ts';

/** The whole address of a public path. */
export function addressOf({ frame, basePath }: Pick<Context, 'frame' | 'basePath'>, path: string): string {
  return `${frame.origin ?? ''}${basePath}${path}`;
}

/** Tells search engines where the page is in each locale; nothing where there is only one. */
export function alternateLinks(context: Context): Html | undefined {
  const { alternates = [], site } = context.frame;
  if (alternates.length < 2) return undefined;
  const main = alternates.find(({ locale }) => locale === site.defaultLocale);
  return html`${alternates.map(
    ({ locale, path }) => html`<link rel="alternate" hreflang="${locale}" href="${addressOf(context, path)}">
`,
  )}${main && html`<link rel="alternate" hreflang="x-default" href="${addressOf(context, main.path)}">`}`;
}

/** Lets a reader change to another language that this very page is in. */
export function localeSwitch(context: Context): Html | undefined {
  const { alternates = [] } = context.frame;
  if (alternates.length < 2 || context.preview) return undefined;
  return html`<nav class="locales" aria-label="${context.words.languages}"><ul>${alternates.map(
    ({ locale, path }) =>
      html`<li><a href="${context.basePath}${path}" lang="${locale}" dir="${directionOf(locale)}" hreflang="${locale}"${
        locale === context.locale && html` aria-current="true"`
      }>${localeName(locale)}</a></li>`,
  )}</ul></nav>`;
}
