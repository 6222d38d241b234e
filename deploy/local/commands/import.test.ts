import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { withHouse } from '../house.ts';
import { importFolder } from './import.ts';

let db: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'cloudhal-import-'));
const [data, posts] = [join(folder, '.cloudhal'), join(folder, 'posts')];
const lines: string[] = [];
beforeAll(async () => {
  db = await testDatabase();
  vi.stubEnv('CLOUDHAL_DATABASE_URL', db.url);
  for (const made of [data, posts]) mkdirSync(made);
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(...line.split('\n')));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await withHouse(data, (house) => house.seedExampleSite());
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await db.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('says what of each file was left out', async () => {
  writeFileSync(join(posts, 'lamp.md'), '---\ntitle: A lamp\nmood: bright\n---\nIt shines.\n');
  await importFolder(posts, { type: 'article', onExisting: 'skip', data });
  expect(lines).toEqual(['1 created', '  lamp: "mood" is no field of article and was left out.']);
});
