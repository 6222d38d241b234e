import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHouse } from '../../local/house.ts';
import { makeDataFolder } from '../../local/project.ts';
import { run } from '../local-process.ts';

type Message = Record<string, unknown> & { id?: number };
type Target = { folder: string; mcpUrl: string; secret: string; bin(name: string): string };
type Result = { connected: boolean; evidence: string };
type RealClient = { name: string; package: string; check(target: Target): Promise<Result> };

/**
 * `node deploy/dist/test/clients/main.js`: installs the MCP clients that people have from npm and lets each connect to
 * `/mcp` with a key. Says plainly which could not be installed; exits 1 where one could and did not connect.
 */
const clients: RealClient[] = [
  { name: 'Claude Code', package: '@anthropic-ai/claude-code', check: claudeCode },
  { name: 'Codex', package: '@openai/codex', check: codex },
  { name: 'Gemini CLI', package: '@google/gemini-cli', check: gemini },
  { name: 'mcp-remote', package: 'mcp-remote', check: mcpRemote },
];

async function claudeCode({ folder, mcpUrl, secret, bin }: Target): Promise<Result> {
  const environment = { HOME: folder, CLAUDE_CONFIG_DIR: join(folder, '.claude') };
  const add = ['mcp', 'add', '--scope', 'local', '--transport', 'http', 'cloudhal', mcpUrl];
  await command(bin('claude'), [...add, '--header', `Authorization: Bearer ${secret}`], folder, environment);
  const listed = await command(bin('claude'), ['mcp', 'list'], folder, environment);
  return { connected: /cloudhal.*Connected/.test(listed), evidence: lineWith(listed, 'cloudhal') };
}

async function gemini({ folder, mcpUrl, secret, bin }: Target): Promise<Result> {
  const server = { httpUrl: mcpUrl, headers: { Authorization: `Bearer ${secret}` } };
  mkdirSync(join(folder, '.gemini'), { recursive: true });
  const settings = { mcpServers: { cloudhal: server }, security: { folderTrust: { enabled: false } } };
  writeFileSync(join(folder, '.gemini/settings.json'), JSON.stringify(settings));
  const listed = await command(bin('gemini'), ['mcp', 'list'], folder, { HOME: folder });
  return { connected: /cloudhal.*Connected/.test(listed), evidence: lineWith(listed, 'cloudhal') };
}

/** Codex lists the tools of its servers over its app-server protocol: JSON-RPC lines. */
async function codex({ folder, mcpUrl, secret, bin }: Target): Promise<Result> {
  mkdirSync(join(folder, '.codex'), { recursive: true });
  const config = `[mcp_servers.cloudhal]\nurl = "${mcpUrl}"\nbearer_token_env_var = "CLOUDHAL_API_KEY"\n`;
  writeFileSync(join(folder, '.codex/config.toml'), config);
  const answer = await converse(
    bin('codex'),
    ['app-server'],
    folder,
    { CODEX_HOME: join(folder, '.codex'), CLOUDHAL_API_KEY: secret },
    [
      { id: 1, method: 'initialize', params: { clientInfo: { name: 'check', title: 'check', version: '1.0.0' } } },
      { method: 'initialized' },
      { id: 2, method: 'mcpServerStatus/list', params: {} },
    ],
    2,
  );
  return {
    connected: answer.includes('get_publish_plan'),
    evidence: `${count(answer)} of the tools looked for are listed`,
  };
}

/** mcp-remote is a stdio server to its host: ask it for the tools. */
async function mcpRemote({ folder, mcpUrl, secret, bin }: Target): Promise<Result> {
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'check', version: '1.0.0' },
  };
  const args = [mcpUrl, '--allow-http', '--header', `Authorization:Bearer ${secret}`];
  const answer = await converse(
    bin('mcp-remote'),
    args,
    folder,
    { HOME: folder },
    [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
    ],
    2,
  );
  return {
    connected: answer.includes('get_publish_plan'),
    evidence: `${count(answer)} of the tools looked for are listed`,
  };
}

const lookedFor = [
  'list_sites',
  'create_entry',
  'edit_body',
  'preview_page',
  'publish',
  'get_publish_plan',
  'rollback',
];
function count(text: string): string {
  return `${lookedFor.filter((name) => text.includes(`"${name}"`)).length} of ${lookedFor.length}`;
}

function lineWith(text: string, part: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.includes(part))
      ?.trim() ?? text.trim().slice(-200)
  );
}

function command(program: string, args: string[], cwd: string, environment: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...environment, CI: '1' },
      timeout: 90_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('error', (error) => resolve(error.message));
    child.on('close', () => resolve(output));
  });
}

/** Sends the messages, waits for the answer with `lastId`, and gives that line. */
function converse(
  program: string,
  args: string[],
  cwd: string,
  environment: Record<string, string>,
  messages: Message[],
  lastId: number,
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...environment },
      timeout: 90_000,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    const done = (answer: string) => {
      child.kill();
      resolve(answer);
    };
    child.on('error', (error) => resolve(error.message));
    child.on('close', () => resolve(output));
    child.stderr.on('data', () => undefined);
    const waiting = [...messages];
    const send = () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        child.stdin.write(`${JSON.stringify(next)}\n`);
        if (next.id !== undefined) return;
      }
    };
    child.stdout.on('data', (text) => {
      output += text;
      const lines = output.split('\n').slice(0, -1);
      const answers = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { id?: number });
      const last = answers.findIndex(({ id }) => id === lastId);
      if (last !== -1) return done(JSON.stringify(answers[last]));
      const asked =
        messages.filter(({ id }) => id !== undefined).length - waiting.filter(({ id }) => id !== undefined).length;
      if (answers.filter(({ id }) => id !== undefined).length >= asked) send();
    });
    send();
  });
}

async function main(): Promise<void> {
  process.env.CLOUDHAL_RATE_PER_MINUTE = '6000';
  process.env.CLOUDHAL_RATE_BURST = '600';
  const folder = mkdtempSync(join(tmpdir(), 'cloudhal-clients-'));
  const house = await openHouse(makeDataFolder(join(folder, '.cloudhal')), { listen: { port: 0 } });
  let failed = 0;
  try {
    const { secret } = await house.createAgentKey({ name: 'clients', scopes: '*', mode: 'edits' });
    for (const { name, package: packageName, check } of clients) {
      const place = join(folder, packageName.replaceAll('/', '-'));
      mkdirSync(place);
      const installed = await run(
        ['npm'],
        ['install', '--prefix', place, '--no-audit', '--no-fund', packageName],
        place,
      );
      if (installed.code !== 0) {
        console.log(`${name}: could not be installed (${installed.stderr.trim().split('\n').at(-1)})`);
        continue;
      }
      const bin = (program: string) => join(place, 'node_modules/.bin', program);
      const { connected, evidence } = await check({ folder: place, mcpUrl: `${house.url}/mcp`, secret, bin });
      if (!connected) failed += 1;
      console.log(`${name}: ${connected ? 'connected' : 'did NOT connect'} (${evidence})`);
    }
  } finally {
    await house.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

await main();
