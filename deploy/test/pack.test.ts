import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { wrap } from '@cloudhal/gateway/mcp/testing/clients';
import { houseFile } from '@cloudhal/shared/house-file';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder, run, startUntil } from './local-process.ts';
import { worked } from './story.ts';

const root = join(houseFile('docs'), '..');
const npx = ['npx', '--no-install', 'cloudhal'];
let folder = '';
let remove = async () => {};

beforeAll(async () => {
  ({ folder, remove } = await projectFolder());
  const packed = await run(['npm'], ['pack', '--silent', '--pack-destination', folder], root);
  expect(packed, packed.stderr).toMatchObject({ code: 0 });
  const tarball = packed.stdout.trim().split('\n').at(-1)!;
  await run(['npm'], ['init', '--yes'], folder);
  const installed = await run(['npm'], ['install', '--no-audit', '--no-fund', join(folder, tarball)], folder);
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  rmSync(join(folder, tarball));
}, 300_000);
afterAll(() => remove());

test('the package, installed in an empty folder, makes a project that a client can work in', async () => {
  expect(await run(npx, ['init'], folder)).toMatchObject({ code: 0 });

  // As .mcp.json says: what a client reads and runs.
  const { command, args } = JSON.parse(readFileSync(join(folder, '.mcp.json'), 'utf8')).mcpServers.cloudhal;
  const sdk = new Client({ name: 'test client', version: '1.0.0' });
  await sdk.connect(new StdioClientTransport({ command, args, cwd: folder, stderr: 'ignore' }));
  const client = wrap(sdk, '2025-11-25');
  try {
    const site = (worked(await client.call('list_sites')).data.sites as { id: string }[])[0]!.id;
    worked(await client.call('create_entry', { site, type: 'article', slug: 'packed', fields: { title: 'Packed' } }));
    const { resources } = await sdk.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('skill://write-article/SKILL.md');
  } finally {
    await client.close();
  }
  expect(await run(npx, ['audit', 'verify'], folder)).toMatchObject({ code: 0 });
}, 120_000);

test('the package serves Studio as it was built', async () => {
  // Itself and not npx, which passes no signal on.
  const installed = [process.execPath, join(folder, 'node_modules/cloudhal/dist/cloudhal.js')];
  const studio = await startUntil(
    installed,
    ['studio', '--no-auth', '--port', '0'],
    folder,
    'Everybody on this machine',
  );
  try {
    const url = /Studio: (\S+)/.exec(studio.output())![1]!;
    const page = await (await fetch(url)).text();
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)![1]!;
    const loaded = await fetch(`${url}/${script}`, { headers: { 'accept-encoding': 'br' } });
    expect([loaded.status, loaded.headers.get('content-encoding')]).toEqual([200, 'br']);
  } finally {
    await studio.stop();
  }
}, 120_000);

test('the package declares exactly what its rooms declare', () => {
  const manifest = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const { dependencies, workspaces, version } = manifest('.');
  const rooms = workspaces.map((room: string) => manifest(room));
  const declared = Object.assign({}, ...rooms.map((room: { dependencies: object }) => room.dependencies));
  const libraries = Object.entries(declared).filter(([name]) => !name.startsWith('@cloudhal/'));
  expect(dependencies).toEqual(Object.fromEntries(libraries));
  expect(rooms.map((room: { version: string }) => room.version)).toEqual(rooms.map(() => version));
});
