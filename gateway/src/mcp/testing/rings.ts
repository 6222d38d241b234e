import { randomBytes } from 'node:crypto';
import { houseFile } from '@cloudhal/shared/house-file';
import { type KeyRing, openKeyRing } from '@cloudhal/shared/key-ring';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { migrate } from '@cloudhal/shared/migrate';
import { testDatabase } from '@cloudhal/shared/testing/test-database';
import { log } from './house.ts';

export type Rings = { rings: KeyRing[]; close(): Promise<void> };

/** The session ring as `count` replicas open it, over one store. */
export async function openRings(count: number): Promise<Rings> {
  const { database, drop } = await testDatabase();
  await migrate(database, 'gateway', houseFile('gateway/migrations'));
  const keyValue = await createPostgresKeyValue(database);
  const kek = randomBytes(32);
  const rings: KeyRing[] = [];
  for (let replica = 0; replica < count; replica++) {
    rings.push(await openKeyRing({ name: 'mcp-session', keyValue, database, schema: 'gateway', kek, log }));
  }
  return {
    rings,
    async close() {
      await Promise.all(rings.map((ring) => ring.stop()));
      await keyValue.close();
      await drop();
    },
  };
}
