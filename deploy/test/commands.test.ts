import { createPublicKey } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { send } from '@cloudhal/gateway/testing/send';
import { testDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloudhal, projectFolder, run, type Started, startUntil } from './local-process.ts';

let folder = '';
let remove = async () => {};
let server: Started;
let url = '';
beforeAll(async () => {
  ({ folder, remove } = await projectFolder());
  server = await startUntil(cloudhal, ['start', '--port', '0'], folder, 'Stop with Ctrl-C');
  url = JSON.parse(await readFile(join(folder, '.cloudhal/server.json'), 'utf8')).url;
});
afterAll(async () => {
  await server.stop();
  await remove();
});

const json = async (args: string[]) => JSON.parse((await run(cloudhal, args, folder)).stdout);

/** What the one-time link in a text is answered with. */
async function opens(text: string): Promise<number> {
  const { searchParams } = new URL(/http\S+join\?token=\S+/.exec(text)![0]);
  const { status } = await fetch(`${url}/api/join/invitation`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ token: searchParams.get('token') }),
  });
  return status;
}

describe('start', () => {
  test('says where everything is, and shows the first key once', async () => {
    const key = /chk_live_\w+/.exec(server.output())?.[0];
    expect(server.output()).toContain(`${url}/sites/example/`);
    expect(server.output()).toContain(`claude mcp add --transport http cloudhal ${url}/mcp`);
    expect(server.output()).toMatch(/\/studio\/join\?token=\S+ +\(one-time link/);
    expect((await fetch(`${url}/sites/example/`)).status).toBe(200);
    const listed = await run(cloudhal, ['keys', 'list'], folder);
    expect(listed.stdout).toContain('first agent');
    expect(listed.stdout).not.toContain(key);
  });

  test('takes another port where its own is taken, and says so', async () => {
    const taken = new URL(url).port;
    const second = await startUntil(cloudhal, ['start', '--port', taken], folder, 'Stop with Ctrl-C');
    expect(second.output()).toContain(`Port ${taken} is taken; using `);
    expect(second.output()).toContain('Already running at');
    expect(second.output()).not.toMatch(/chk_live_/);
    // Nor another one-time link, which would end the first one's.
    expect(second.output()).not.toContain('token=');
    await second.stop();
    expect(await opens(server.output())).toBe(200);
    // The first is still the one that others find.
    expect(JSON.parse(await readFile(join(folder, '.cloudhal/server.json'), 'utf8')).url).toBe(url);
  });
});

describe('keys', () => {
  test('are made, listed and revoked, and a revoked one is refused', async () => {
    const { key, secret } = await json([
      'keys',
      'create',
      'reader',
      '--mode',
      'plan',
      '--scopes',
      'site:read,content:read',
      '--json',
    ]);
    expect(key).toMatchObject({ name: 'reader', mode: 'plan', scopes: ['site:read', 'content:read'], state: 'active' });
    const ask = () =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
    expect((await ask()).status).toBe(200);
    expect(await json(['keys', 'revoke', key.id, '--json'])).toMatchObject({ id: key.id, state: 'revoked' });
    let status = 0;
    for (let i = 0; status !== 401 && i < 40; i++) status = (await ask()).status;
    expect(status).toBe(401);
    expect(await run(cloudhal, ['keys', 'revoke', 'nobody'], folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nobody'),
    });
  });
});

describe('import', () => {
  test('takes Markdown with frontmatter as drafts, and says what it did', async () => {
    const notes = join(folder, 'notes');
    await mkdir(join(notes, 'deep'), { recursive: true });
    await writeFile(join(notes, 'first.md'), '---\ntitle: The first\nsummary: Short.\n---\nText.\n');
    await writeFile(join(notes, 'deep', 'Second Note.md'), '# The second\n\nMore text.\n');
    expect(await run(cloudhal, ['import', notes], folder)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 created'),
    });
    expect(await run(cloudhal, ['import', notes], folder)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 skipped'),
    });

    expect(await run(cloudhal, ['import', notes, '--site', 'other'], folder)).toMatchObject({ code: 2 });

    await writeFile(join(notes, 'broken.md'), '---\n- not\n- a mapping\n---\n');
    const broken = await run(cloudhal, ['import', notes], folder);
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('broken.md') });
    expect(await run(cloudhal, ['import', join(folder, 'nowhere')], folder)).toMatchObject({ code: 1 });
  });
});

describe('demo', () => {
  test('plays the whole story against the running instance, with the official client', async () => {
    const played = await run(cloudhal, ['demo', '--yes'], folder);
    expect(played, played.stderr).toMatchObject({ code: 0 });
    expect(played.stdout).toContain('the server asks the person');
    expect(played.stdout).toMatch(/rolled back, snapshot sn_/);
  });

  test('needs a person or --yes', async () => {
    expect(await run(cloudhal, ['demo'], folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  });
});

describe('studio', () => {
  test('says where it runs already, with a new one-time link while nobody is the owner', async () => {
    const { stdout } = await run(cloudhal, ['studio'], folder);
    expect(stdout).toContain(`${url}/studio/join?token=`);
    expect(await opens(stdout)).toBe(200);
    expect(await opens(server.output())).toBe(410);
  });

  test('without sign-in acts as the owner, on this machine only', async () => {
    const studio = await startUntil(
      cloudhal,
      ['studio', '--no-auth', '--port', '0'],
      folder,
      'Never make this port reachable',
    );
    const address = /Studio: (http:\/\/localhost:\d+)\/studio/.exec(studio.output())?.[1];
    const sites = await fetch(`${address}/api/sites`);
    expect(await sites.json()).toMatchObject({ sites: [{ slug: 'example' }] });
    expect((await send(`${address}/api/sites`, { headers: { host: 'evil.example' } })).status).toBe(403);
    await studio.stop();
    // The one with sign-in goes on, and asks for it.
    expect((await fetch(`${url}/api/sites`)).status).toBe(401);
  });
});

describe('audit', () => {
  test('verifies and exports the record, and finds a line that was changed', async () => {
    expect(await run(cloudhal, ['audit', 'verify'], folder)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The record is whole'),
    });
    // One key as PEM does, whatever its file is called.
    const [secrets, checkpoints] = [join(folder, '.cloudhal/secrets'), join(folder, '.cloudhal/checkpoints')];
    const [key] = JSON.parse(await readFile(join(secrets, 'checkpoint-jwks.json'), 'utf8')).keys;
    const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    await writeFile(join(folder, 'checkpoint.pub'), pem);
    const signed = ['--checkpoints', checkpoints, '--pubkey', join(folder, 'checkpoint.pub')];
    expect(await run(cloudhal, ['audit', 'verify', ...signed], folder)).toMatchObject({ code: 0 });
    // After its key was exchanged what the earlier one signed counts as before.
    rmSync(join(folder, '.cloudhal/secrets/checkpoint-key.json'));
    expect(await run(cloudhal, ['audit', 'verify'], folder)).toMatchObject({ code: 0 });
    const lines = (await run(cloudhal, ['audit', 'export'], folder)).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ export: 'cloudhal.audit' });
    expect(lines.length).toBeGreaterThan(10);
    expect((await run(cloudhal, ['audit', 'export', '--format', 'csv'], folder)).stdout).toMatch(/^chain,seq,/);
  });
});

describe('migrate', () => {
  test('brings a database to this version, and a second run finds nothing to do', async () => {
    const { url: database, drop } = await testDatabase();
    process.env.CLOUDHAL_MIGRATION_DATABASE_URL = database;
    try {
      expect(await run(cloudhal, ['migrate'], folder)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('applied tools/0001_tools.sql'),
      });
      expect(await run(cloudhal, ['migrate'], folder)).toMatchObject({
        code: 0,
        stdout: 'The database is up to date.\n',
      });

      // Its record is verified with the settings of audit-service.
      process.env.CLOUDHAL_DATABASE_URL = database;
      process.env.CLOUDHAL_DATABASE_PASSWORD_FILE = join(folder, 'database-password');
      const verify = () => run(cloudhal, ['audit', 'verify'], folder);
      expect((await verify()).stderr).toContain('database-password cannot be read');
      await writeFile(join(folder, 'database-password'), `${new URL(database).password || 'unasked'}\n`);
      expect((await verify()).stdout).toContain('The record is whole');
    } finally {
      delete process.env.CLOUDHAL_MIGRATION_DATABASE_URL;
      delete process.env.CLOUDHAL_DATABASE_URL;
      delete process.env.CLOUDHAL_DATABASE_PASSWORD_FILE;
      await drop();
    }
    expect(await run(cloudhal, ['migrate'], folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('CLOUDHAL_MIGRATION_DATABASE_URL'),
    });
  });
});

describe('secrets init', () => {
  test('makes a full set once, for its owner alone', async () => {
    const first = await run(cloudhal, ['secrets', 'init', 'secrets'], folder);
    expect(first.stdout).toContain('permit-key.json');
    const key = await readFile(join(folder, 'secrets/permit-key.json'), 'utf8');
    expect(await run(cloudhal, ['secrets', 'init', 'secrets'], folder)).toMatchObject({
      stdout: expect.stringContaining('nothing was changed'),
    });
    expect(await readFile(join(folder, 'secrets/permit-key.json'), 'utf8')).toBe(key);
    expect(JSON.parse(await readFile(join(folder, 'secrets/permit-jwks.json'), 'utf8')).keys[0]).not.toHaveProperty(
      'd',
    );
  });
});
