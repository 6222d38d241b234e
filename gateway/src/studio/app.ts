import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import sirv from 'sirv';
import { sendPage } from './html.ts';

export type StudioAppOptions = {
  /** Where the app was built to; absent: it was not. */
  folder: string | undefined;
  /** The path below which people reach the deployment, such as `/cloudhal`; empty at the root of its host. */
  basePath: string;
};

/** The web app: files whose names change with their content, and one page for every path of its own. */
export function studioApp({ folder, basePath }: StudioAppOptions): Router {
  const router = express.Router();
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) {
    router.get('{/*page}', (_request, response) =>
      sendPage(response, 404, 'Studio is not built', '<p>Run <code>npm run build</code>, then start again.</p>'),
    );
    return router;
  }

  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const assets = sirv(join(folder, 'assets'), {
    etag: true,
    immutable: true,
    maxAge: 31_536_000,
    brotli: true,
    gzip: true,
  });
  // Not found is for whoever comes next: an old page that asks for an old file must not get the new page.
  router.use('/assets', assets as RequestHandler);
  router.get(/^(?!\/assets\/)/, (_request, response) => {
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', policy(nonce));
    response.setHeader('Cache-Control', 'no-store');
    response
      .type('html')
      .send(
        page
          .replace('<base href="/studio/" />', `<base href="${basePath}/studio/" />`)
          .replace('nonce=""', `nonce="${nonce}"`),
      );
  });
  return router;
}

/** Scripts and styles of our own files alone; a library's style elements carry the nonce. Frames are for previews. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
