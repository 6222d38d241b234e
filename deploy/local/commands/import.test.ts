import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { withHouse } from '../house.ts';
import { wordpressExport, wordpressItem } from '../import/testing/wordpress.ts';
import { importContent } from './import.ts';

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
  await importContent(posts, { type: 'article', onExisting: 'skip', data });
  expect(lines).toEqual(['1 created', '  lamp: "mood" is no field of article and was left out.']);
});

it('takes an export of WordPress as drafts, leaves out what cannot be, and goes on where it stopped', async () => {
  const file = join(folder, 'export.xml');
  const items = [
    wordpressItem({ title: 'Tides', 'content:encoded': '<p>High.</p>', 'wp:post_date': '2019-05-04 10:11:12' }),
    wordpressItem({ title: 'Too long', 'content:encoded': `<p>${'x'.repeat(420_000)}</p>` }),
    wordpressItem({ title: 'Currents', 'wp:status': 'draft' }),
  ];
  writeFileSync(file, wordpressExport(items.join('')));
  const options = { type: 'article', onExisting: 'skip' as const, data, report: join(folder, 'report.json') };
  lines.length = 0;
  await expect(importContent(file, { ...options, dryRun: true })).rejects.toThrow('Some texts were not imported.');
  expect(lines[0]).toBe('2 created, 1 failed (nothing was stored)');
  lines.length = 0;
  await expect(importContent(file, options)).rejects.toThrow('Some texts were not imported.');
  expect(lines.slice(0, 2)).toEqual(['2 created, 1 failed', 'All are drafts here. They were: 1 published, 1 draft.']);
  const report = JSON.parse(readFileSync(options.report, 'utf8'));
  expect(report).toMatchObject([
    { slug: 'tides', status: 'created', was: 'published', id: expect.stringMatching(/^en_/) },
    { slug: 'too-long', status: 'failed', problem: expect.any(String) },
    { slug: 'currents', status: 'created', was: 'draft' },
  ]);
  lines.length = 0;
  await expect(importContent(file, options)).rejects.toThrow();
  expect(lines[0]).toBe('2 skipped, 1 failed');
});
