import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicHalf } from '@cloudhal/shared/secrets';
import { makeSecrets, readSecretFile, writeOnce } from './secret-files.ts';

/** The services that have a NATS user and a database role of their own. */
const busServices = ['gateway', 'policy', 'tools', 'audit', 'skills'] as const;
const databaseServices = ['gateway', 'policy', 'tools', 'audit'] as const;

/**
 * Makes a full set for compose or Kubernetes in `folder`, keeping what exists, and says which files are new: the secrets of
 * `secret-files.ts`, the public halves of the gateway's and policy-service's keys (`*-jwks.json`), a password for each
 * NATS user and database role, and the files in which NATS and PostgreSQL read these.
 */
export function makeDeploymentSecrets(folder: string): string[] {
  const made: string[] = [...makeSecrets(folder)];
  const once = (name: string, content: string) => {
    if (writeOnce(join(folder, name), content)) made.push(name);
  };
  const derived = (name: string, content: string) => {
    rmSync(join(folder, name), { force: true });
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  };
  const password = () => randomBytes(24).toString('base64url');

  for (const service of busServices) once(`nats-password-${service}`, password());
  for (const service of ['owner', ...databaseServices]) once(`database-password-${service}`, password());
  once('redis-password', password());

  for (const purpose of ['principal', 'permit']) {
    const key = publicHalf(JSON.parse(readSecretFile(folder, `${purpose}-key.json`)));
    derived(`${purpose}-jwks.json`, `${JSON.stringify({ keys: [key] }, null, 2)}\n`);
  }
  derived(
    'nats-passwords.conf',
    busServices
      .map(
        (service) =>
          `CLOUDHAL_NATS_${service.toUpperCase()}: "${readSecretFile(folder, `nats-password-${service}`)}"\n`,
      )
      .join(''),
  );
  derived(
    'database-roles.sql',
    databaseServices
      .map((service) => roleSql(service, readSecretFile(folder, `database-password-${service}`)))
      .join(''),
  );
  return made;
}

/** Passwords are base64url, so they need no quoting in SQL. */
function roleSql(service: string, password: string): string {
  const role = `cloudhal_${service}`;
  return `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF; END $$;\nALTER ROLE ${role} LOGIN PASSWORD '${password}';\n`;
}
