import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeVariables } from '@cloudhal/shared/config';
import { afterAll, describe, expect, test } from 'vitest';
import { programOf } from './deployment.ts';

const services = ['gateway', 'policy', 'tools', 'audit', 'skills'] as const;
type Service = (typeof services)[number];

const folder = mkdtempSync(join(tmpdir(), 'cloudhal-test-boot-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** No server is there: what is wrong must be said before anything is connected to. */
const nowhere = {
  CLOUDHAL_NATS_URL: 'nats://127.0.0.1:1',
  CLOUDHAL_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/cloudhal',
  CLOUDHAL_PUBLIC_URL: 'http://localhost',
  CLOUDHAL_CHECKPOINT_DIR: folder,
};

type Ended = { code: number | null; output: string };

function boot(service: Service, env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env }, timeout: 15_000 };
    const child = execFile(process.execPath, [programOf(service)], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

/** The variables of a service that name a file with a secret in it. */
function secretsOf(service: Service, { required = false } = {}): string[] {
  return describeVariables()
    .filter((entry) => entry.name.endsWith('_FILE') && (required ? entry.required : entry.services).includes(service))
    .map(({ name }) => name);
}

/** What is no key to sign or encrypt with may be any text, but not none. */
const isPassword = (name: string) => /_(?:PASSWORD|CA|CLIENT_SECRET|S3_SECRET_KEY)_FILE$/.test(name);
const wrong = ['hunter2-Kx9', 'changeme-Kx9-changeme-Kx9-changeme-Kx9-changeme-Kx9', ''];

/** A file for each of them: one is too short, the next a placeholder, the next empty, and so on. */
function wrongSecrets(service: Service): Record<string, string> {
  return Object.fromEntries(
    secretsOf(service).map((name, n) => {
      const path = join(folder, `${service}-${name}`);
      writeFileSync(path, isPassword(name) ? '' : wrong[n % wrong.length]!);
      return [name, path];
    }),
  );
}

describe('a service does not start, and names each variable,', () => {
  test.each(services)(
    '%s: without its settings, or with secrets that are none, which it does not show',
    async (service) => {
      const given = wrongSecrets(service);
      const [without, ended] = await Promise.all([boot(service, {}), boot(service, { ...nowhere, ...given })]);
      expect(without.code, without.output).toBe(1);
      for (const name of ['CLOUDHAL_NATS_URL', ...secretsOf(service, { required: true })]) {
        expect(without.output).toContain(`${name} is missing`);
      }
      expect(ended.code, ended.output).toBe(1);
      for (const [name, path] of Object.entries(given)) {
        expect(ended.output).toMatch(new RegExp(`${name}: [^\\n]*${path}`));
      }
      expect(ended.output).not.toContain('Kx9');
    },
  );
});

test('a file of secrets that is not there is named, with its variable', async () => {
  const { code, output } = await boot('skills', { ...nowhere, CLOUDHAL_NATS_PASSWORD_FILE: '/nowhere/password' });
  expect(code).toBe(1);
  expect(output).toContain('CLOUDHAL_NATS_PASSWORD_FILE: The file /nowhere/password cannot be read (ENOENT)');
});
