import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type House, openHouse } from './house.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloudhal-example-'));
let store: TestDatabase;
let house: House;
beforeAll(async () => {
  store = await testDatabase();
  vi.stubEnv('CLOUDHAL_DATABASE_URL', store.url);
  vi.stubEnv('CLOUDHAL_RENDER_BROWSER', process.env.CLOUDHAL_TEST_CHROMIUM);
  vi.stubEnv('CLOUDHAL_RENDER_SANDBOX', String(process.env.CLOUDHAL_TEST_CHROMIUM_SANDBOX !== 'off'));
  house = await openHouse(folder);
  await house.seedExampleSite();
});
afterAll(async () => {
  await house.stop();
  vi.unstubAllEnvs();
  await store.drop();
  rmSync(folder, { recursive: true, force: true });
});

it.each(['/home', '/about', '/articles/the-ferry-is-back', '/articles/a-library-on-the-quay'])(
  '%s of the example site has no faults',
  async (node) => {
    const { data, images } = await house.callTool({ mode: 'plan', scopes: '*' }, 'render_page', {
      node,
      view: 'live',
      screenshot: true,
    });
    expect(data).toMatchObject({ findings: [] });
    expect(images).toHaveLength(1);
  },
);
