import type { Mode } from '@cloudhal/shared/policy';
import { remoteSetup } from '../client-setup.ts';
import { withHouse } from '../house.ts';
import { typed } from '../own-command.ts';
import { findDataFolder, runningServer } from '../project.ts';
import { parseScopes } from '../scopes.ts';
import { table } from '../terminal.ts';

type Common = { data: string; json?: boolean };

/** Makes a key owned by the local owner; the secret is printed once. */
export async function createKey(
  name: string,
  options: Common & { mode: Mode; scopes: string; days: number },
): Promise<void> {
  const folder = findDataFolder(options.data);
  const made = await withHouse(folder, (house) =>
    house.createAgentKey({
      name,
      mode: options.mode,
      scopes: parseScopes(options.scopes),
      expiresInDays: options.days,
    }),
  );
  if (options.json) return print(made);
  for (const warning of made.warnings) console.error(warning);
  console.log(`${made.secret}\n\nThis is the only time it is shown.`);
  const server = runningServer(folder);
  if (server !== undefined) console.log(`\n${remoteSetup(server.mcpUrl, made.secret)}`);
}

export async function listKeys(options: Common): Promise<void> {
  const keys = await withHouse(findDataFolder(options.data), (house) => house.listAgentKeys());
  if (options.json) return print(keys);
  if (keys.length === 0) return console.log(`There are no agent keys. Make one with: ${typed('keys create <name>')}`);
  const rows = keys.map((key) => [key.id, key.name, key.mode, key.lastUsedAt ?? 'never used', key.state]);
  console.log(table([['id', 'name', 'mode', 'last used', 'state'], ...rows]));
}

export async function revokeKey(id: string, options: Common): Promise<void> {
  const key = await withHouse(findDataFolder(options.data), (house) => house.revokeAgentKey(id));
  if (options.json) return print(key);
  console.log(`${id} is revoked.`);
}

function print(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}
