import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { natsAuthorization } from '../local/nats-permissions.ts';
import { readSecretFile } from '../local/secret-files.ts';
import type { Deployment } from './deployment.ts';
import { startNats } from './servers/nats.ts';
import { startPostgres } from './servers/postgres.ts';
import { startRedis } from './servers/redis.ts';
import type { TestServer } from './servers/server-process.ts';

/** The configuration that a deployment's NATS was started with: what each service's user may do. */
function natsConfigOf({ secrets }: Pick<Deployment, 'secrets'>): string {
  return natsAuthorization((user) => `"${readSecretFile(secrets, `nats-password-${user}`)}"`);
}

/** Each starts a server again where it ended, with the data that it had. Redis keeps none. */
export const restart = {
  nats: ({ nats: { folder, port }, secrets }: Deployment) =>
    startNats({ folder, port, config: natsConfigOf({ secrets }) }),
  redis: ({ redis: { folder, port } }: Deployment) => startRedis({ folder, port }),
  async postgres({ postgres: { folder, port } }: Deployment): Promise<TestServer> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await startPostgres({ folder, port, fsync: true });
      } catch (error) {
        // After a kill -9 its children hold the data for a moment longer.
        if (attempt === 20) throw error;
        await sleep(250);
      }
    }
  },
};

/** All that JetStream ever stored is lost. */
export async function wipeJetStream({ nats }: Pick<Deployment, 'nats'>): Promise<void> {
  await rm(join(nats.folder, 'jetstream'), { recursive: true, force: true });
}
