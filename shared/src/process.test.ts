import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import pino from 'pino';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Bus, request } from './bus/bus.ts';
import { connectNatsBus } from './bus/nats-bus.ts';
import { houseFile } from './house-file.ts';
import { generateSigner } from './secrets.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';
import { type TestDatabase, testDatabase } from './testing/test-database.ts';

const Text = Type.Object({ text: Type.String() });
const echo = request('cloudhal.v1.test.process', Text, Text);
const servers = process.env.CLOUDHAL_TEST_NATS_URL ?? '';
const timeoutMs = 5_000;

let db: TestDatabase;
let folder: string;
let program: string;
let bus: Bus;
const children: ChildProcess[] = [];

beforeAll(async () => {
  db = await testDatabase();
  bus = await connectNatsBus({ servers, service: 'gateway', log: pino({ level: 'silent' }) });
  folder = await mkdtemp(join(tmpdir(), 'cloudhal-test-process-'));
  await writeFile(join(folder, 'jwks.json'), JSON.stringify({ keys: [generateSigner().publicJwk] }));
  program = join(folder, 'echo.mjs');
  await build({
    entryPoints: [houseFile('shared/src/testing/echo-service.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
  });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await bus.close();
  await rm(folder, { recursive: true });
  await db.drop();
});

type Running = { child: ChildProcess; output(): string; ended: Promise<number | null> };

function run(environment: Record<string, string>): Running {
  const child = spawn(process.execPath, [program], { env: { PATH: process.env.PATH, ...environment } });
  children.push(child);
  let output = '';
  child.stdout?.on('data', (bytes: Buffer) => {
    output += bytes;
  });
  child.stderr?.on('data', (bytes: Buffer) => {
    output += bytes;
  });
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

let port = 19_400 + (process.pid % 500) * 10;
const environment = () => ({
  CLOUDHAL_DATABASE_URL: db.urlAs('tools'),
  CLOUDHAL_NATS_URL: servers,
  CLOUDHAL_PERMIT_JWKS_FILE: join(folder, 'jwks.json'),
  CLOUDHAL_PUBLIC_URL: 'http://localhost',
  CLOUDHAL_HEALTH_PORT: String(++port),
});

async function started(environment: Record<string, string>): Promise<Running> {
  const running = run(environment);
  for (let i = 0; i < 500 && !running.output().includes('"msg":"started"'); i++) await sleep(20);
  expect(running.output()).toContain('"msg":"started"');
  return running;
}

describe('the process of a service', () => {
  it('serves, tells its health, answers what is in flight when it is told to stop, and ends', async () => {
    const variables = environment();
    const running = await started(variables);
    expect(await bus.request(echo, { text: 'a' }, { timeoutMs })).toEqual({ text: 'a' });
    const page = (path: string) => fetch(`http://127.0.0.1:${variables.CLOUDHAL_HEALTH_PORT}${path}`);
    expect((await page('/healthz')).status).toBe(200);
    expect(await (await page('/readyz')).json()).toEqual({ ready: true, bus: true, database: true, clock: true });
    expect(await (await page('/metrics')).text()).toMatch(/cloudhal_bus_answers_total\{[^}]*test\.process[^}]*\} 1/);
    expect((await page('/other')).status).toBe(404);
    const last = bus.request(echo, { text: 'last' }, { timeoutMs });
    await sleep(100);
    running.child.kill('SIGTERM');
    expect(await last).toEqual({ text: 'last' });
    expect(await running.ended).toBe(0);
    expect(running.output()).toContain('"msg":"stopped"');
  });

  it('is alive but not ready while its database is away', async () => {
    const proxy = await startTcpProxy(db.urlAs('tools'));
    const variables = { ...environment(), CLOUDHAL_DATABASE_URL: proxy.url };
    await started(variables);
    const page = (path: string) => fetch(`http://127.0.0.1:${variables.CLOUDHAL_HEALTH_PORT}${path}`);
    proxy.mode = 'refuse';
    proxy.cut();
    expect(await (await page('/readyz')).json()).toEqual({ ready: false, bus: true, database: false, clock: true });
    expect((await page('/readyz')).status).toBe(503);
    expect((await page('/healthz')).status).toBe(200);
    proxy.mode = 'pass';
    expect((await page('/readyz')).status).toBe(200);
    await proxy.close();
  });

  it('does not start without its settings, and says which', async () => {
    const { ended, output } = run({ CLOUDHAL_NATS_URL: servers, CLOUDHAL_KEKFILE: 'x' });
    expect(await ended).toBe(1);
    expect(output()).toContain('CLOUDHAL_DATABASE_URL is missing');
    expect(output()).toContain('did you mean CLOUDHAL_KEK_FILE?');
  });

  it('ends with an error when something breaks that nobody handles', async () => {
    const running = await started(environment());
    await bus.request(echo, { text: 'crash' }, { timeoutMs }).catch(() => undefined);
    expect(await running.ended).toBe(1);
    expect(running.output()).toContain('"level":"fatal"');
    expect(running.output()).toContain('a bug');
  });
});
