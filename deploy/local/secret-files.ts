import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSigner, publicHalf } from '@cloudhal/shared/secrets';

/** The secrets that services share nothing of but what is public: one file each, mode 0600. */
const makers = {
  /** Signs principals; the gateway's. */
  'principal-key.json': () => JSON.stringify(generateSigner().privateJwk),
  /** Signs permits; policy-service's. */
  'permit-key.json': () => JSON.stringify(generateSigner().privateJwk),
  /** Signs the record's checkpoints; audit-service's. */
  'checkpoint-key.json': () => JSON.stringify(generateSigner('Ed25519').privateJwk),
  'key-pepper': () => randomBytes(32).toString('base64url'),
  /** Wraps key rings and the arguments of waiting calls. */
  kek: () => randomBytes(32).toString('base64url'),
  'session-secret': () => randomBytes(32).toString('base64url'),
  'deployment-token': () => `chd_${randomBytes(32).toString('base64url')}`,
} as const;

export type SecretName = keyof typeof makers;
const secretNames = Object.keys(makers) as SecretName[];

/** Makes the secrets that are missing in `folder` and says which; those that exist are kept, also when two processes start at once. */
export function makeSecrets(folder: string): SecretName[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made = secretNames.filter(
    (name) => !existsSync(join(folder, name)) && writeOnce(join(folder, name), makers[name]()),
  );
  keepCheckpointKey(folder);
  return made;
}

/** The public half of every key that ever signed checkpoints. */
export const checkpointKeys = 'checkpoint-jwks.json';

/** Adds the present key and takes none away: what an earlier key signed is checked as long as the record is kept. */
function keepCheckpointKey(folder: string): void {
  const file = join(folder, checkpointKeys);
  const key = publicHalf(JSON.parse(readSecretFile(folder, 'checkpoint-key.json')));
  const { keys } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { keys: [] };
  if (keys.some(({ x }: { x?: string }) => x === key.x)) return;
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify({ keys: [key, ...keys] }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export function readSecretFile(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8').trim();
}

/** Writes a file that does not exist yet, whole or not at all; false where another process was first. */
export function writeOnce(file: string, content: string): boolean {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${content}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
