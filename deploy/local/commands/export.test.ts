import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobKey } from '@cloudhal/shared/blobs/blob-store';
import { type TestDatabase, testDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { boat } from '../../reference/examples/pictures.ts';
import { withHouse } from '../house.ts';
import { exportSite } from './export.ts';
import { importContent } from './import.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloudhal-export-'));
const out = join(folder, 'out');
const stores: TestDatabase[] = [];
const lines: string[] = [];
beforeAll(() => {
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(...line.split('\n')));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const store of stores) await store.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** A store of its own; commands work on the one that was opened last. */
async function openStore(name: string): Promise<string> {
  const store = await testDatabase();
  stores.push(store);
  vi.stubEnv('CLOUDHAL_DATABASE_URL', store.url);
  const data = join(folder, name);
  mkdirSync(data);
  return data;
}

const anything = { mode: 'bypass', scopes: '*' } as const;
const body = 'Odd \\ text: `a`  \r\n---\n\n- "quoted" ☃\u0085\t\n\n   \n';

it('a site that is exported and imported elsewhere is the same, to the digest', async () => {
  const first = await openStore('first');
  await withHouse(first, async (house) => {
    await house.seedExampleSite();
    const odd = { title: 'null', summary: '---\nyes: "no"\n# x', source: '0x10' };
    await house.callTool(anything, 'create_entry', { type: 'article', slug: 'odd', fields: odd, body });
    await house.callTool(anything, 'upload_asset', { filename: 'boat.png', base64: boat, alt: 'A boat' });
    const { data } = await house.callTool(anything, 'create_page', { title: 'Old', slug: 'old' });
    const { id, rev } = data as { id: string; rev: number };
    await house.callTool(anything, 'delete_page', { page: id, rev });
  });
  await exportSite(out, { data: first });
  expect(readdirSync(out).sort()).toEqual(
    expect.arrayContaining(['asset', 'cloudhal.json', 'content_type', 'entry', 'files', 'page', 'site', 'trash']),
  );
  const [odd] = readdirSync(join(out, 'entry')).filter((name) => name.startsWith('odd.'));
  expect(readFileSync(join(out, 'entry', odd!), 'utf8').endsWith(`---\n${body}`)).toBe(true);
  await expect(exportSite(out, { data: first })).rejects.toThrow('is not empty');

  const second = await openStore('second');
  const options = { type: 'article', onExisting: 'skip' as const, data: second };
  lines.length = 0;
  await importContent(out, options);
  const { digest, nodes } = JSON.parse(readFileSync(join(out, 'cloudhal.json'), 'utf8'));
  expect(lines).toEqual([
    `${nodes} restored, 0 there already, as drafts of example.`,
    `The draft is exactly what was exported: its digest is ${digest}.`,
  ]);

  // Again it changes nothing, and says so; also of a file that was changed since.
  const [text] = readdirSync(join(out, 'entry')).filter((name) => name.startsWith('odd.'));
  const file = join(out, 'entry', text!);
  const asExported = readFileSync(file, 'utf8');
  for (const changed of [[], ['1 of those there are not as in the files, and stay as they are.']]) {
    writeFileSync(file, changed.length > 0 ? asExported.replace('title: "null"', 'title: Other') : asExported);
    lines.length = 0;
    await importContent(out, options);
    expect(lines).toEqual([
      `0 restored, ${nodes} there already, as drafts of example.`,
      ...changed,
      expect.stringContaining(digest),
    ]);
  }
  writeFileSync(file, asExported);

  await withHouse(second, async (house) => {
    // Its files are there, not only what is said about them.
    for (const name of readdirSync(join(out, 'files'))) expect(await house.blobs.has(blobKey(name))).toBe(true);
    const { data } = await house.callTool(anything, 'get_publish_plan', { what: { all: true } });
    const { expectDraft } = data as { expectDraft: string };
    // Its types are new to the readers of this store: a person lets them go live.
    const publish = house.callTool(anything, 'publish', { what: { all: true }, expectDraft });
    await expect(publish).rejects.toThrow('A person has to approve');
    const { data: activity } = await house.callTool(anything, 'list_activity', { tool: 'restore_nodes' });
    expect(JSON.stringify(activity)).toContain('restore_nodes');
  });
});

it('a folder without a project takes a site; beside a site of the same address it says what to do', async () => {
  const options = { type: 'article', onExisting: 'skip' as const };
  const data = await openStore('none-yet');
  rmSync(data, { recursive: true });
  await importContent(out, { ...options, data });
  await expect(importContent(out, { ...options, data, report: 'report.json' })).rejects.toThrow(
    '--report is for texts',
  );

  const taken = await openStore('taken');
  await withHouse(taken, (house) => house.seedExampleSite());
  await expect(importContent(out, { ...options, data: taken })).rejects.toThrow('Import into a folder of its own');
});

it('a file of an asset that is missing is told of, and another in its place is refused', async () => {
  const options = { type: 'article', onExisting: 'skip' as const };
  const [name] = readdirSync(join(out, 'files'));
  const file = join(out, 'files', name!);
  const good = readFileSync(file);
  rmSync(file);
  lines.length = 0;
  await importContent(out, { ...options, data: await openStore('without-files') });
  expect(lines[1]).toContain('1 files of assets are not in the export');
  writeFileSync(file, '<svg onload="alert(1)"/>');
  await expect(importContent(out, { ...options, data: await openStore('with-others') })).rejects.toThrow(
    'is not the file',
  );
  writeFileSync(file, good);
});

it('a file that was changed by hand is taken as it is, and the digest says so', async () => {
  const third = await openStore('third');
  const [odd] = readdirSync(join(out, 'entry')).filter((name) => name.startsWith('odd.'));
  const file = join(out, 'entry', odd!);
  writeFileSync(file, readFileSync(file, 'utf8').replace('title: "null"', 'title: Other'));
  lines.length = 0;
  await importContent(out, { type: 'article', onExisting: 'skip', data: third });
  expect(lines[1]).toMatch(/not exactly what was exported/);
});

it('what is no node of the site is refused', async () => {
  const fourth = await openStore('fourth');
  const options = { type: 'article', onExisting: 'skip' as const, data: fourth };
  const [page] = readdirSync(join(out, 'page'));
  const file = join(out, 'page', page!);
  const good = readFileSync(file, 'utf8');
  for (const bad of [
    '{',
    good.replace(/"kind": "page"/, '"kind": "entry"'),
    good.replace('"sections": [', '"sections": [1, '),
  ]) {
    writeFileSync(file, bad);
    await expect(importContent(out, options)).rejects.toThrow();
  }
});
