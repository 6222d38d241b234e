import { createHash } from 'node:crypto';
import type { SiteFrame } from './context.ts';
import { styleSheet } from './theme-css.ts';

/**
 * What a rendered page may do, for the header of the same name: show itself, its style sheet and images of its own host.
 * The style sheet stands in the page and is allowed by its hash, so a page is one response that needs no second route
 * (previews and the checks in a headless browser see what readers see), and nothing else inline is allowed. Who may frame it
 * is for whoever serves it to say, in a policy beside this one: both hold.
 */
export function contentSecurityPolicy({ design }: Pick<SiteFrame, 'design'>, { form = false } = {}): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(styleSheet(design)).digest('base64')}'`,
    "img-src 'self'",
    "base-uri 'none'",
    // Only the one page that has a form sends one.
    `form-action ${form ? "'self'" : "'none'"}`,
  ].join('; ');
}
