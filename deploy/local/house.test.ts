import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type House, openHouse } from './house.ts';

let db: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'cloudhal-house-'));
const houses: House[] = [];
beforeAll(async () => {
  db = await testDatabase();
  vi.stubEnv('CLOUDHAL_DATABASE_URL', db.url);
  for (let i = 0; i < 2; i++) houses.push(await openHouse(folder));
});
afterAll(async () => {
  await Promise.all(houses.map((house) => house.stop()));
  vi.unstubAllEnvs();
  await db.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('two clients that start at once in a new folder both find the example site', async () => {
  await Promise.all(houses.map((house) => house.seedExampleSite()));
  expect(await houses[0]!.sites()).toHaveLength(1);
});
