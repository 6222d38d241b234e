import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Person, type TestClient, wrap } from '@cloudhal/gateway/mcp/testing/clients';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cloudhal, projectFolder, run, startUntil } from './local-process.ts';
import { playStory, worked } from './story.ts';

const stops: (() => Promise<unknown>)[] = [];
let folder = '';
beforeEach(async () => {
  const project = await projectFolder();
  folder = project.folder;
  stops.push(project.remove);
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

type Local = TestClient & { pid: number };
const accept: Person = () => ({ action: 'accept', content: { confirm: true } });

const itself = [...cloudhal, 'mcp', '--mode', 'edits'];

/** A client that starts `cloudhal mcp` in the folder, as clients do. */
async function connectStdio(
  era: 'second generation' | 'first generation',
  person: Person = accept,
  [command = '', ...args] = itself,
): Promise<Local> {
  const server = { command, args, cwd: folder, stderr: 'ignore' as const };
  const info = { name: 'test client', version: '1.0.0' };
  const capabilities = { elicitation: { form: {} } };
  if (era === 'first generation') {
    const client = new FirstClient(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => await person(params as never));
    const transport = new FirstTransport(server);
    await client.connect(transport);
    return Object.assign(wrap(client as unknown as Client, era), { pid: transport.pid! });
  }
  const client = new Client(info, { capabilities });
  client.setRequestHandler('elicitation/create', async ({ params }) => await person(params as never));
  const transport = new StdioClientTransport(server);
  await client.connect(transport);
  return Object.assign(wrap(client, '2025-11-25'), { pid: transport.pid! });
}

async function init(): Promise<void> {
  expect(await run(cloudhal, ['init'], folder)).toMatchObject({ code: 0 });
}

/** Whether the folder's PostgreSQL runs. */
function databaseRuns(): boolean {
  const file = join(folder, '.cloudhal/postgres/postmaster.pid');
  if (!existsSync(file)) return false;
  try {
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 0);
    return true;
  } catch {
    return false;
  }
}

async function siteOf(client: TestClient): Promise<string> {
  return (worked(await client.call('list_sites')).data.sites as { id: string }[])[0]!.id;
}

test.each(['second generation', 'first generation'] as const)(
  'the main job over stdio, by a client of the %s, while start serves the pages',
  async (generation) => {
    const server = await startUntil(cloudhal, ['start', '--port', '0'], folder, 'Stop with Ctrl-C');
    stops.push(() => server.stop());
    const { url } = JSON.parse(readFileSync(join(folder, '.cloudhal/server.json'), 'utf8'));
    // What it says to paste, word for word.
    const [, command = '', args = ''] = /command: (\S+) +arguments: (.+?) +working directory/.exec(server.output())!;
    const connect = (person?: unknown) => connectStdio(generation, person as Person, [command, ...args.split(' ')]);
    await playStory({ connect, url, documents: 105 });

    const verified = await run(cloudhal, ['audit', 'verify'], folder);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('The record is whole') });
  },
  120_000,
);

test('clients in one folder share one store, and killing one disturbs no other', async () => {
  await init();
  expect(databaseRuns()).toBe(false);
  const first = await connectStdio('first generation');
  const second = await connectStdio('second generation');
  const site = await siteOf(first);

  // Both write at once: every change is one snapshot, none is lost or done twice.
  const writes = Array.from({ length: 20 }, (_, i) =>
    [first, second][i % 2]!.call('create_entry', {
      site,
      type: 'article',
      slug: `shared-${i}`,
      fields: { title: `Shared ${i}` },
    }),
  );
  for (const called of await Promise.all(writes)) worked(called);
  // What one wrote the other reads.
  worked(await second.call('get_entry', { site, entry: 'shared-0' }));

  // The one that started the database is killed in the middle of a call; the other goes on.
  const requestId = 'killed-in-flight';
  const inFlight = first
    .call('create_entry', { site, type: 'article', slug: 'in-flight', fields: { title: 'In flight' }, requestId })
    .catch(() => undefined);
  process.kill(first.pid, 'SIGKILL');
  await inFlight;
  await first.close().catch(() => undefined);
  worked(await second.call('create_entry', { site, type: 'article', slug: 'after', fields: { title: 'After' } }));

  // Repeated by whoever comes next, it is done once.
  const third = await connectStdio('first generation');
  const again = await third.call('create_entry', {
    site,
    type: 'article',
    slug: 'in-flight',
    fields: { title: 'In flight' },
    requestId,
  });
  if (again.isError) expect(again.json.code).toMatch(/in_progress|slug_taken/);
  const found = worked(await third.call('list_entries', { site, type: 'article', limit: 100 }));
  const slugs = (found.data.entries as { slug: string }[]).map(({ slug }) => slug);
  expect(slugs.filter((slug) => slug === 'in-flight').length).toBeLessThanOrEqual(1);
  expect(slugs.filter((slug) => slug.startsWith('shared-'))).toHaveLength(20);

  // The database stops with the last.
  await second.close();
  expect(databaseRuns()).toBe(true);
  await third.close();
  for (let i = 0; databaseRuns() && i < 200; i++) await sleep(50);
  expect(databaseRuns()).toBe(false);
}, 120_000);

test('a store whose processes were all killed is taken up by the next start', async () => {
  await init();
  const client = await connectStdio('first generation');
  const site = await siteOf(client);
  worked(await client.call('create_entry', { site, type: 'article', slug: 'kept', fields: { title: 'Kept' } }));
  process.kill(client.pid, 'SIGKILL');
  await client.close().catch(() => undefined);

  const next = await connectStdio('second generation');
  worked(await next.call('get_entry', { site, entry: 'kept' }));
  await next.close();
}, 60_000);

test('a folder that is no project says how to make one', async () => {
  expect(await run(cloudhal, ['mcp'], folder)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/Run `.+ init` in the project folder/),
  });
});

test.each([
  [['mcp', '--mode', 'everything'], 'Allowed choices are plan, manual, edits, auto, bypass'],
  [['mcp', '--scopes', 'content:reed'], 'Unknown scope content:reed'],
  [['mcp', '--toolsets', 'all'], 'Unknown toolset all'],
  [['start', '--port', '99999'], 'a whole number from 0 to 65535'],
  [['serve', 'everything'], 'It takes one of: gateway, policy, tools, audit, skills'],
  [['keys', 'create'], "missing required argument 'name'"],
  [['start', '--prot', '1'], "unknown option '--prot'"],
  [['strat'], "unknown command 'strat'"],
] as const)('%j is called wrongly: it says what is wrong and exits with 2', async (args, message) => {
  expect(await run(cloudhal, args, folder)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test('every command says what it does', async () => {
  for (const command of [
    'init',
    'start',
    'dev',
    'mcp',
    'studio',
    'serve',
    'migrate',
    'keys',
    'audit',
    'import',
    'secrets',
    'demo',
  ]) {
    const { code, stdout } = await run(cloudhal, [command, '--help'], folder);
    expect({ command, code }).toEqual({ command, code: 0 });
    expect(stdout).toContain(`Usage: cloudhal ${command === 'dev' ? 'start' : command}`);
  }
}, 60_000);
