import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { houseFile } from '@cloudhal/shared/house-file';
import { makeDeploymentSecrets } from '../../local/deployment-secrets.ts';
import { run } from '../local-process.ts';
import { freePort } from '../servers/server-process.ts';

export type Container = { Name: string; Service: string; State: string; Health: string; ExitCode: number };

/** deploy/compose as it is, under a project name, a port and secrets of its own. */
export type Stack = {
  url: string;
  deploymentToken: string;
  /** What nobody may read in logs, or in what the engine tells of a container. */
  secrets: string[];
  /** `docker compose …`; answers what it printed, fails with what it complained of. */
  compose(...args: string[]): Promise<string>;
  docker(...args: string[]): Promise<string>;
  containers(): Promise<Container[]>;
  remove(): Promise<void>;
};

/** Builds the images and brings everything up, until all of it is well. */
export async function startStack(): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'cloudhal-test-compose-'));
  const secrets = join(folder, 'secrets');
  makeDeploymentSecrets(secrets);
  const owner = ownerOf(secrets);
  const port = await freePort();

  const settings = {
    PUBLIC_URL: `http://localhost:${port}`,
    LISTEN: `127.0.0.1:${port}`,
    // Whoever connects from this host.
    TRUSTED_PROXY: '172.16.0.0/12',
    RUN_AS: owner,
    IMAGE: 'cloudhal:test',
    RENDER_IMAGE: 'cloudhal-render:test',
  };
  const envFile = join(folder, '.env');
  writeFileSync(
    envFile,
    Object.entries(settings)
      .map((pair) => `${pair.join('=')}\n`)
      .join(''),
  );
  const override = join(folder, 'compose.override.json');
  const files = readdirSync(secrets).map((name) => [name, { file: join(secrets, name) }]);
  const environment = { CLOUDHAL_RATE_PER_MINUTE: '100000', CLOUDHAL_RATE_BURST: '1000' };
  writeFileSync(
    override,
    JSON.stringify({ secrets: Object.fromEntries(files), services: { gateway: { environment } } }),
  );

  const project = ['--project-name', `cloudhal-test-${process.pid}`, '--env-file', envFile];
  const docker = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['docker'], args, folder);
    if (code !== 0) throw new Error(`docker ${args.join(' ')}:\n${stderr.slice(-4_000)}`);
    return stdout;
  };
  const compose = (...args: string[]) =>
    docker('compose', ...project, '--file', houseFile('deploy/compose/compose.yaml'), '--file', override, ...args);
  const remove = async () => {
    await compose('down', '--volumes', '--remove-orphans', '--timeout', '10');
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    await compose('build');
    await compose('up', '--detach', '--wait');
  } catch (error) {
    const logs = await compose('logs', '--no-color', '--tail', '20').catch(() => '');
    await remove();
    throw new Error(`${(error as Error).message}\n${logs.slice(-8_000)}`);
  }
  return {
    url: settings.PUBLIC_URL,
    deploymentToken: readFileSync(join(secrets, 'deployment-token'), 'utf8').trim(),
    secrets: secretTexts(secrets),
    compose,
    docker,
    // One JSON value a line; older versions print one list.
    containers: async () =>
      JSON.parse(`[${(await compose('ps', '--all', '--format', 'json')).trim().replaceAll('\n', ',')}]`).flat(),
    remove,
  };
}

/** Who owns the files of secrets, never root: services that run as root would prove less. */
function ownerOf(folder: string): string {
  const [uid, gid] = [process.getuid?.() ?? 1000, process.getgid?.() ?? 1000];
  if (uid !== 0) return `${uid}:${gid}`;
  for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), 1000, 1000);
  return '1000:1000';
}

function secretTexts(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^(?:key-pepper|kek|session-secret|deployment-token|.*-password.*|.*-key\.json)$/.test(name))
    .filter((name) => name !== 'nats-passwords.conf')
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .map((text) => (text.startsWith('{') ? (JSON.parse(text) as { d: string }).d : text));
}
