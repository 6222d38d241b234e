import { resolve } from 'node:path';
import { makeDeploymentSecrets } from '../deployment-secrets.ts';

/** Makes what is missing and keeps what is there. */
export function initSecrets(dir: string): void {
  const folder = resolve(dir);
  const made = makeDeploymentSecrets(folder);
  if (made.length === 0) {
    console.log(`All secrets are in ${folder} already; nothing was changed.`);
    return;
  }
  console.log(`Made in ${folder}:\n${made.map((name) => `  ${name}`).join('\n')}`);
  console.log('\nKeep this folder out of version control and give each service only its own files.');
}
