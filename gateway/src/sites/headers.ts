/**
 * For pages that carry an organisation's content: they may load pictures, styles and fonts and run nothing. `sandbox` gives
 * them an origin of their own, so that even a script that slipped through could not act as the person who looks at them.
 */
const contentPolicy = [
  "default-src 'none'",
  "img-src 'self' https: data:",
  "media-src 'self' https:",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "base-uri 'none'",
];

const sandbox = 'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

export const publishedPolicy = [
  ...contentPolicy,
  "form-action 'self'",
  "frame-ancestors 'none'",
  `${sandbox} allow-forms`,
].join('; ');
/** Studio shows previews in a frame. */
export const previewPolicy = [...contentPolicy, "form-action 'none'", "frame-ancestors 'self'", sandbox].join('; ');
