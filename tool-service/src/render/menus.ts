import { type Context, link, type MenuLink } from './context.ts';
import { type Html, html } from './html.ts';

/** A menu in one line; what has children opens without a script. */
export function headerMenu(context: Context, items: readonly MenuLink[]): Html {
  return html`<ul>${items.map(({ label, path, children = [] }) => {
    if (children.length === 0) return html`<li>${itemLink(context, label, path)}</li>`;
    // What opens a list cannot lead on as well, so it stands at the head of its own list.
    const below = path === undefined ? children : [{ label, path }, ...children];
    return html`<li><details><summary>${label}</summary>${headerMenu(context, below)}</details></li>`;
  })}</ul>`;
}

/** A menu whose lists stand open side by side. */
export function footerMenu(context: Context, items: readonly MenuLink[]): Html {
  return html`<ul>${items.map(({ label, path, children = [] }) => {
    if (children.length === 0) return html`<li>${itemLink(context, label, path)}</li>`;
    return html`<li><strong>${itemLink(context, label, path)}</strong>${footerMenu(context, children)}</li>`;
  })}</ul>`;
}

function itemLink(context: Context, label: string, path: string | undefined): Html | string {
  return path === undefined ? label : link(context, path, label);
}
