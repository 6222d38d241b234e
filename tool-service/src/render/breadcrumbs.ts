import { type Context, link, type NavItem } from './context.ts';
import { type Html, html } from './html.ts';

/** Where a page stands: the way from the home page down to it, itself left out. */
export function breadcrumbs(context: Context, trail: readonly NavItem[]): Html | undefined {
  if (trail.length === 0) return undefined;
  const steps = [{ label: context.words.home, path: '/' }, ...trail];
  return html`<nav class="breadcrumbs" aria-label="${context.words.breadcrumbs}"><ol>${steps.map(
    ({ label, path }) => html`<li>${link(context, path, label)}</li>`,
  )}</ol></nav>`;
}
