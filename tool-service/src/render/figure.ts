import type { Context } from './context.ts';
import { type Html, html } from './html.ts';
import { type ImageOptions, imageAttributes, textIn } from './media.ts';

type Options = Omit<ImageOptions, 'locale' | 'defaultLocale'> & { class?: string };

/** An image of the site; nothing where readers may not see it. */
export function picture(context: Context, id: string, { class: name, ...options }: Options = {}): Html | undefined {
  const { locale, assets, site } = context;
  const attributes = imageAttributes(context, assets, id, { ...options, locale, defaultLocale: site.defaultLocale });
  if (!attributes) return undefined;
  const classes = [name, name && focusOf(assets.get(id)!)].filter(Boolean).join(' ');
  return html`<img${Object.entries(attributes).map(([key, value]) => html` ${key}="${value}"`)}${
    classes !== '' && html` class="${classes}"`
  }>`;
}

/** An image with its caption and credit. */
export function figure(context: Context, id: string, options: Options & { caption?: string } = {}): Html | undefined {
  const { caption: given, ...rest } = options;
  const shown = picture(context, id, rest);
  if (!shown) return undefined;
  const { caption = {}, credit } = context.assets.get(id)!;
  const said = [given || textIn(caption, context.locale, context.site.defaultLocale), credit].filter(Boolean);
  return html`<figure class="image">${shown}${said.length > 0 && html`<figcaption>${said.join(' · ')}</figcaption>`}</figure>`;
}

/** What stays in view where an image is cut, in tenths: styles of single elements are forbidden by the page's policy. */
function focusOf({ focalPoint }: { focalPoint?: { x: number; y: number } }): string | undefined {
  return focalPoint && `fx${Math.round(focalPoint.x * 10)} fy${Math.round(focalPoint.y * 10)}`;
}
