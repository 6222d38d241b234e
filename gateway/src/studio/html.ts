import { randomBytes } from 'node:crypto';
import type { Response } from 'express';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 2rem 1rem; max-width: 36rem; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; }
button { margin-top: 1.5rem; padding: .6rem 1.2rem; font: inherit; }
.problem { border-left: .3rem solid #b00020; padding-left: .8rem; }
.hint { font-weight: 400; }
`;

/** A page of our own: no script, nothing from elsewhere. `body` is HTML; put text through `escapeHtml`. */
export function sendPage(response: Response, status: number, title: string, body: string): void {
  const nonce = randomBytes(16).toString('base64');
  response
    .status(status)
    .setHeader(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  response.setHeader('Cache-Control', 'no-store');
  response.type('html').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Cloudhal</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`);
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
