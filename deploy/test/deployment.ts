import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@cloudhal/shared/database';
import { houseFile } from '@cloudhal/shared/house-file';
import { makeDeploymentSecrets } from '../local/deployment-secrets.ts';
import { migrateAll } from '../local/migrate-all.ts';
import { natsAuthorization } from '../local/nats-permissions.ts';
import { readSecretFile } from '../local/secret-files.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { startNats } from './servers/nats.ts';
import { startPostgres } from './servers/postgres.ts';
import { startRedis } from './servers/redis.ts';
import { freePort, type TestServer } from './servers/server-process.ts';

export type ServiceName = 'gateway' | 'policy' | 'tools' | 'audit' | 'skills';

/** One running service process of a deployment. */
export type ServiceProcess = {
  name: ServiceName;
  port: number;
  /** Of the process that runs now; another after a restart. */
  pid(): number;
  /** What it has written to stdout and stderr, newest last; capped. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again after it ended, with the same settings. With others beside them it need not become ready. */
  restart(env?: Record<string, string>): Promise<void>;
};

export type Deployment = {
  /** All gateways behind round-robin, a fresh TCP connection for each request. */
  url: string;
  gatewayUrls: string[];
  services: Record<ServiceName, ServiceProcess[]>;
  nats: TestServer;
  redis: TestServer;
  postgres: TestServer;
  /** The superuser's URL of the deployment's database. */
  databaseUrl: string;
  secrets: string;
  deploymentToken: string;
  stop(): Promise<void>;
};

/** What a container of the service runs. */
export const programOf = (service: ServiceName) => houseFile(`deploy/dist/services/${service}.js`);

export type DeploymentOptions = {
  /** How many processes of each service; one where nothing is said. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Settings for all services. */
  env?: Record<string, string>;
  /** Where PostgreSQL keeps its data, which stays there; else a folder of its own. */
  postgresFolder?: string | undefined;
};

/** Five services as separate processes over a NATS, a PostgreSQL and a Redis of their own, with the permissions of a real deployment. */
export async function startDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const { replicas = {}, env = {}, postgresFolder: folder } = options;
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of stops.toReversed()) await step();
  };
  try {
    const secrets = await mkdtemp(join(tmpdir(), 'cloudhal-test-secrets-'));
    stops.push(() => rm(secrets, { recursive: true, force: true }));
    makeDeploymentSecrets(secrets);

    const [postgres, redis, nats] = await Promise.all([
      startPostgres({ fsync: true, ...(folder !== undefined && { folder }) }),
      startRedis(),
      startNats({ config: natsAuthorization((user) => `"${readSecretFile(secrets, `nats-password-${user}`)}"`) }),
    ]);
    stops.push(
      () => postgres.stop(),
      () => redis.stop(),
      () => nats.stop(),
    );
    const databaseUrl = await prepareStore(postgres.url);

    const gatewayPorts = await Promise.all(Array.from({ length: replicas.gateway ?? 1 }, freePort));
    const balancer: Balancer = await startBalancer(gatewayPorts);
    stops.push(() => balancer.stop());

    const settings = (name: ServiceName, port: number): Record<string, string> => ({
      ...common(name, { secrets, databaseUrl, nats: nats.url, redis: redis.url, publicUrl: balancer.url }),
      ...(name === 'gateway' ? { CLOUDHAL_PORT: String(port), CLOUDHAL_HOST: '127.0.0.1' } : {}),
      CLOUDHAL_HEALTH_PORT: String(port),
      ...env,
    });
    const services: Deployment['services'] = { gateway: [], policy: [], tools: [], audit: [], skills: [] };
    // The gateway last: it is ready once the others answer.
    for (const name of ['skills', 'audit', 'policy', 'tools', 'gateway'] as const) {
      const ports =
        name === 'gateway' ? gatewayPorts : await Promise.all(Array.from({ length: replicas[name] ?? 1 }, freePort));
      for (const port of ports) {
        const service = await startService(name, port, settings(name, port));
        services[name].push(service);
        stops.push(() => service.kill('SIGTERM'));
      }
    }
    return {
      url: balancer.url,
      gatewayUrls: gatewayPorts.map((port) => `http://127.0.0.1:${port}`),
      services,
      nats,
      redis,
      postgres,
      databaseUrl,
      secrets,
      deploymentToken: (await readFile(join(secrets, 'deployment-token'), 'utf8')).trim(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareStore(server: string): Promise<string> {
  const admin = openDatabase({ url: server, name: 'test' });
  await admin.query('CREATE DATABASE cloudhal');
  await admin.close();
  const url = new URL(server);
  url.pathname = '/cloudhal';
  const database = openDatabase({ url: url.href, name: 'test' });
  await migrateAll(database);
  await database.close();
  return url.href;
}

type Surroundings = { secrets: string; databaseUrl: string; nats: string; redis: string; publicUrl: string };

/** What each service of a deployment is given; only its own secrets. */
function common(
  name: ServiceName,
  { secrets, databaseUrl, nats, redis, publicUrl }: Surroundings,
): Record<string, string> {
  const file = (secret: string) => join(secrets, secret);
  const url = new URL(databaseUrl);
  url.username = `cloudhal_${name}`;
  const bus = {
    CLOUDHAL_NATS_URL: nats,
    CLOUDHAL_NATS_USER: name,
    CLOUDHAL_NATS_PASSWORD_FILE: file(`nats-password-${name}`),
  };
  const store = { CLOUDHAL_DATABASE_URL: url.href, CLOUDHAL_REDIS_URL: redis };
  const permits = { CLOUDHAL_PERMIT_JWKS_FILE: file('permit-jwks.json') };
  const principals = { CLOUDHAL_PRINCIPAL_JWKS_FILE: file('principal-jwks.json') };
  switch (name) {
    case 'gateway':
      return {
        ...bus,
        ...store,
        CLOUDHAL_PUBLIC_URL: publicUrl,
        CLOUDHAL_PRINCIPAL_KEY_FILE: file('principal-key.json'),
        CLOUDHAL_KEY_PEPPER_FILE: file('key-pepper'),
        CLOUDHAL_KEK_FILE: file('kek'),
        CLOUDHAL_SESSION_SECRET_FILE: file('session-secret'),
        CLOUDHAL_DEPLOYMENT_TOKEN_FILE: file('deployment-token'),
      };
    case 'policy':
      return {
        ...bus,
        ...store,
        ...permits,
        ...principals,
        CLOUDHAL_PERMIT_KEY_FILE: file('permit-key.json'),
        CLOUDHAL_KEK_FILE: file('kek'),
      };
    case 'tools':
      return { ...bus, ...store, ...permits, CLOUDHAL_PUBLIC_URL: publicUrl };
    case 'audit':
      return {
        ...bus,
        ...permits,
        ...principals,
        CLOUDHAL_DATABASE_URL: url.href,
        CLOUDHAL_CHECKPOINT_KEY_FILE: file('checkpoint-key.json'),
        CLOUDHAL_CHECKPOINT_JWKS_FILE: file('checkpoint-jwks.json'),
        CLOUDHAL_CHECKPOINT_DIR: join(secrets, 'checkpoints'),
      };
    case 'skills':
      return bus;
  }
}

/** As in a container. */
const nodeOptions = /NODE_OPTIONS=(\S+)/.exec(readFileSync(houseFile('deploy/compose/Dockerfile'), 'utf8'))![1]!;

/** A parent that ends leaves none of them behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function startService(
  name: ServiceName,
  port: number,
  settings: Record<string, string>,
): Promise<ServiceProcess> {
  let child: ChildProcess;
  let ended: Promise<unknown> = Promise.resolve();
  let output = '';

  async function launch(env?: Record<string, string>): Promise<void> {
    child = spawn(process.execPath, [programOf(name)], {
      env: { PATH: process.env.PATH, NODE_OPTIONS: nodeOptions, ...settings, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    ended = once(child, 'close');
    running.add(child);
    child.once('close', () => running.delete(child));
    const collect = (text: Buffer) => {
      output = (output + text).slice(-200_000);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    const path = name === 'gateway' && env === undefined ? '/readyz' : '/healthz';
    for (let attempt = 0; ; attempt++) {
      const ready = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_000) }).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) return;
      if (attempt > 300 || child.exitCode !== null || child.signalCode !== null) {
        child.kill('SIGKILL');
        throw new Error(`${name} did not get ready:\n${output.slice(-4_000)}`);
      }
      await sleep(50);
    }
  }

  await launch();
  return {
    name,
    port,
    pid: () => child.pid ?? 0,
    output: () => output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      if (signal === 'SIGKILL') await ended;
      if (signal === 'SIGTERM') {
        await Promise.race([ended, sleep(15_000, undefined, { ref: false })]);
        child.kill('SIGKILL');
        await ended;
      }
    },
    restart: launch,
  };
}
