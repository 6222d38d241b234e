import { createHash } from 'node:crypto';
import { themeCss } from './theme-css.ts';

/**
 * What a rendered page may do, for the header of the same name: show itself, its style sheet and images of its own host.
 * The style sheet stands in the page and is allowed by its hash, so a page is one response that needs no second route
 * (previews and the checks in a headless browser see what readers see), and nothing else inline is allowed. Who may frame it
 * is for whoever serves it to say, in a policy beside this one: both hold.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(themeCss).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Of the one page that has a form. */
export const formSecurityPolicy = contentSecurityPolicy.replace("form-action 'none'", "form-action 'self'");
