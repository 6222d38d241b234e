import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyRecord } from '@cloudhal/audit-service/verify';
import { connect, eras } from '@cloudhal/gateway/mcp/testing/clients';
import { openDatabase } from '@cloudhal/shared/database';
import { afterEach, describe, expect, test } from 'vitest';
import { openHouse } from '../local/house.ts';
import { makeDataFolder } from '../local/project.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { firstOwner } from './people.ts';
import { recordIsComplete } from './record.ts';
import { playStory } from './story.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

describe('the main job in one process', () => {
  test.each(eras)(
    'over HTTP, by a client of %s',
    async (era) => {
      process.env.CLOUDHAL_RATE_PER_MINUTE = '100000';
      process.env.CLOUDHAL_RATE_BURST = '1000';
      const folder = await mkdtemp(join(tmpdir(), 'cloudhal-test-project-'));
      stops.push(() => rm(folder, { recursive: true, force: true }));
      const house = await openHouse(makeDataFolder(join(folder, '.cloudhal')), { listen: { port: 0 } });
      stops.push(() => house.stop());
      await house.seedExampleSite();
      const { secret } = await house.createAgentKey({ name: 'story', scopes: '*', mode: 'edits' });

      await playStory({
        connect: (person) => connect(`${house.url}/mcp`, era, { as: secret, person }),
        url: house.url,
        documents: 110,
      });

      await recordIsComplete(house.database);
      expect(await verifyRecord(house.database)).toMatchObject({ ok: true });
    },
    120_000,
  );
});

describe('the main job in five services over NATS, PostgreSQL and Redis', () => {
  test('with two gateways behind round-robin and two tool workers', async () => {
    const deployment: Deployment = await startDeployment({
      replicas: { gateway: 2, tools: 2 },
      env: { CLOUDHAL_RATE_PER_MINUTE: '100000', CLOUDHAL_RATE_BURST: '1000' },
    });
    stops.push(() => deployment.stop());
    const owner = await firstOwner(deployment.url, deployment.deploymentToken);
    expect((await owner.send('/api/sites', { method: 'POST', body: { slug: 'news', title: 'News' } })).status).toBe(
      201,
    );

    for (const era of eras) {
      const { secret } = await owner.createKey({ name: era, scopes: '*', mode: 'edits' });
      await playStory({
        connect: (person) => connect(`${deployment.url}/mcp`, era, { as: secret, person }),
        url: deployment.url,
        documents: 110,
      });
    }

    const database = openDatabase({ url: deployment.databaseUrl, name: 'test' });
    stops.push(() => database.close());
    await recordIsComplete(database);
    expect(await verifyRecord(database)).toMatchObject({ ok: true });
  }, 240_000);
});
