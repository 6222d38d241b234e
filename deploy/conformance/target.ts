import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start as startGateway } from '@cloudhal/gateway/service';
import type { Stop } from '@cloudhal/shared/bus/bus';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { auditStream, catalog, events, listSkills } from '@cloudhal/shared/contracts';
import { openDatabase } from '@cloudhal/shared/database';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { createLog } from '@cloudhal/shared/log';
import { generateSigner } from '@cloudhal/shared/secrets';
import { migrateAll } from '../local/migrate-all.ts';
import { openStore } from '../local/store.ts';
import { createFixtures } from './fixtures/fixtures.ts';

export type Target = { url: string; key: string; stop: Stop };

/** The gateway as it is deployed, on a store of its own, with the fixtures beside an empty catalogue. */
export async function startTarget(proxyUrl: string): Promise<Target> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'cloudhal-conformance-'));
    stops.push(async () => rmSync(folder, { recursive: true, force: true }));
    const store = await openStore(folder, undefined);
    stops.push(() => store.stop());
    const database = openDatabase({ url: store.url, name: 'cloudhal-conformance' });
    stops.push(() => database.close());
    await migrateAll(database);

    const log = createLog('gateway', { level: 'warn', destination: process.stderr });
    const bus = createInProcessBus({ log });
    stops.push(() => bus.close());
    await bus.consume(auditStream, 'conformance', async () => {});
    await bus.answer(catalog, async () => ({ digest: 'none', tools: [] }));
    await bus.answer(listSkills, async () => ({ digest: 'none', skills: [], problems: [] }));

    const often = { perMinute: 100_000, burst: 100_000 };
    const gateway = await startGateway({
      bus,
      keyValue: await createPostgresKeyValue(database),
      database,
      databaseUrl: store.url,
      log,
      signer: generateSigner().signer,
      secrets: {
        peppers: [randomBytes(32)],
        session: randomBytes(32),
        deploymentToken: randomBytes(32).toString('hex'),
        kek: randomBytes(32),
      },
      settings: {
        version: '0.0.0',
        listen: { port: 0 },
        allowedHosts: [new URL(proxyUrl).host],
        allowedOrigins: [proxyUrl],
        limits: { key: often, owner: often, mutation: often, heavy: often },
        drainMs: 1_000,
      },
      fixtures: createFixtures(() => bus.publish(events.toolsChanged, { digest: 'none' })),
    });
    stops.push(gateway.stop);
    const { secret } = await gateway.createAgentKey({ name: 'conformance', scopes: '*' });
    return { url: gateway.url, key: secret, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
