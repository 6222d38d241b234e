import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../http/listen.ts';
import { type Received, send } from '../testing/send.ts';
import { studioApp } from './app.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloudhal-app-'));
const hour = { 'cache-control': 'public,max-age=31536000,immutable' };
let listener: Listener;
let get: (path: string, headers?: Record<string, string>) => Promise<Received>;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<base href="/studio/" /><meta property="csp-nonce" nonce="" /><script src="./assets/main-1.js">',
  );
  writeFileSync(join(folder, 'assets/main-1.js'), 'console.log(1)');
  writeFileSync(join(folder, 'assets/main-1.js.br'), 'compressed');
  const app = express();
  app.use('/studio', studioApp({ folder, basePath: '/house' }));
  app.use('/unbuilt', studioApp({ folder: undefined, basePath: '' }));
  listener = await listen({ host: '127.0.0.1', port: 0 });
  listener.serve(app);
  get = (path, headers = {}) => send(`http://127.0.0.1:${listener.port}${path}`, { headers });
});
afterAll(async () => {
  await listener.close();
  rmSync(folder, { recursive: true });
});

describe('the page of Studio', () => {
  it.each(['/studio', '/studio/', '/studio/approvals/apr_1', '/studio/join?token=x'])(
    'is what %s answers',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      expect(text).toContain('<base href="/house/studio/" />');
    },
  );

  it('runs scripts of its own files alone, and is in nobody’s frame', async () => {
    const [one, other] = [await get('/studio'), await get('/studio')];
    const policy = String(one.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const nonce = /style-src 'self' 'nonce-([^']{22,})'/.exec(policy)?.[1];
    expect(one.text).toContain(`nonce="${nonce}"`);
    expect(other.text).not.toContain(nonce);
  });
});

describe('its files', () => {
  it('are kept for ever, and sent compressed to who can read that', async () => {
    expect(await get('/studio/assets/main-1.js')).toMatchObject({ status: 200, text: 'console.log(1)', headers: hour });
    const compressed = await get('/studio/assets/main-1.js', { 'accept-encoding': 'gzip, br' });
    expect(compressed).toMatchObject({ text: 'compressed', headers: { ...hour, 'content-encoding': 'br' } });
  });

  it.each(['/studio/assets/main-0.js', '/studio/assets/..%2findex.html', '/studio/assets/'])(
    'that are not there are not the page: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

it('says so where it was not built', async () => {
  expect(await get('/unbuilt')).toMatchObject({ status: 404, text: expect.stringContaining('npm run build') });
});
