import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, Stop } from './bus/bus.ts';
import { connectNatsBus } from './bus/nats-bus.ts';
import { clockAgrees } from './clock.ts';
import { type Config, checkFiles, readConfig } from './config.ts';
import { urlWithPassword } from './connection-url.ts';
import type { Database } from './database.ts';
import type { KeyValue } from './key-value/key-value.ts';
import { createLog, type Log } from './log.ts';
import { metrics } from './metrics.ts';

export type DeployedService = 'gateway' | 'policy' | 'tools' | 'audit' | 'skills';

type Store = { database: Database; keyValue: KeyValue };
/** What a service of a deployment is started with; skills-service stores nothing. */
export type ServiceDeps<S extends DeployedService> = { bus: Bus; log: Log; config: Config<S> } & (S extends 'skills'
  ? unknown
  : Store);

type Open = { close(): Promise<void> };

/**
 * The life of one service's process: environment → connections → `start` → until it is told to stop → drain → exit.
 * Never returns: the process ends here.
 */
export async function runService<S extends DeployedService>(
  name: S,
  start: (deps: ServiceDeps<S>) => Promise<Stop>,
): Promise<void> {
  /** Closed in this order: the bus first, since what it still answers needs the rest. */
  const open: Open[] = [];
  let log = createLog(name);
  let stopping = false;
  let stop: Stop | undefined;
  let shutdownSeconds = 30;

  async function end(code: number): Promise<void> {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(code || 1), shutdownSeconds * 1000).unref();
    try {
      await stop?.();
      for (const part of open) await part.close();
    } catch (error) {
      log.error({ err: error }, 'stopping failed');
    }
    log.info('stopped');
    log.flush();
    process.exit(code);
  }

  function crash(error: unknown, what: string): void {
    log.fatal({ err: error }, what);
    void end(1);
  }

  process.on('SIGTERM', () => void end(0));
  process.on('SIGINT', () => void end(0));
  process.on('uncaughtException', (error) => crash(error, 'an error reached the top'));
  process.on('unhandledRejection', (error) => crash(error, 'a rejection reached the top'));

  try {
    const settings = readConfig(name);
    log = createLog(name, { level: settings.logLevel });
    checkFiles(name, settings);
    const config = withPasswords(settings);
    shutdownSeconds = config.shutdownSeconds;
    const onClosed = (error?: Error) => crash(error, 'the connection to NATS is closed for good');
    const bus = await patiently(log, 'NATS', () =>
      connectNatsBus({ ...natsOptions(config), service: name, log, onClosed }),
    );
    open.push(bus);
    const store = await openStore(name, config, log, open);
    if (name !== 'gateway') open.push(await serveHealth(config.healthPort, bus, store?.database, () => !stopping));
    stop = await start({ bus, log, config, ...store } as ServiceDeps<S>);
    log.info('started');
  } catch (error) {
    crash(error, 'could not start');
  }
}

/** The URLs of the stores as they are connected to. */
function withPasswords<C extends Config>(config: C): C {
  const { databaseUrl, databasePasswordFile, redisUrl, redisPasswordFile } = config;
  return {
    ...config,
    ...(databaseUrl !== undefined && { databaseUrl: urlWithPassword(databaseUrl, databasePasswordFile) }),
    ...(redisUrl !== undefined && { redisUrl: urlWithPassword(redisUrl, redisPasswordFile) }),
  };
}

function natsOptions(config: Config): { servers: string; user?: string; password?: string; tlsCa?: string } {
  const { natsUrl, natsUser, natsPasswordFile, natsCaFile } = config;
  return {
    servers: (natsUrl ?? []).join(','),
    ...(natsUser !== undefined && { user: natsUser }),
    ...(natsPasswordFile !== undefined && { password: readFileSync(natsPasswordFile, 'utf8').trim() }),
    ...(natsCaFile !== undefined && { tlsCa: readFileSync(natsCaFile, 'utf8') }),
  };
}

async function openStore(name: string, config: Config, log: Log, open: Open[]): Promise<Store | undefined> {
  const { databaseUrl, redisUrl } = config;
  if (databaseUrl === undefined) return undefined;
  // The clients of servers are half of what a service has in memory: one without a store does without them.
  const { openDatabase } = await import('./database.ts');
  const database = openDatabase({ url: databaseUrl, name });
  await patiently(log, 'PostgreSQL', () => database.query('SELECT 1'));
  const keyValue = await openKeyValue(redisUrl, database, log);
  open.push(keyValue, database);
  return { database, keyValue };
}

async function openKeyValue(redisUrl: string | undefined, database: Database, log: Log): Promise<KeyValue> {
  if (redisUrl === undefined) {
    const { createPostgresKeyValue } = await import('./key-value/postgres-key-value.ts');
    return createPostgresKeyValue(database);
  }
  const { connectRedisKeyValue } = await import('./key-value/redis-key-value.ts');
  return connectRedisKeyValue({ url: redisUrl, log });
}

/** Servers that start at the same time may be there a little later. */
async function patiently<T>(log: Log, what: string, connect: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connect();
    } catch (error) {
      if (attempt === 30) throw error;
      log.warn({ err: error }, `waiting for ${what}`);
      await sleep(2_000);
    }
  }
}

/** `/healthz`: the process lives. `/readyz`: what it needs is there. `/metrics`: what it counted. */
export async function serveHealth(
  port: number,
  bus: Bus,
  database: Database | undefined,
  isServing: () => boolean,
): Promise<Open & { port: number }> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    if (request.url === '/healthz') answer(200, '{"status":"ok"}', 'application/json');
    else if (request.url === '/readyz') {
      void readiness(bus, database, isServing).then((state) =>
        answer(state.ready ? 200 : 503, JSON.stringify(state), 'application/json'),
      );
    } else if (request.url === '/metrics') {
      void metrics.metrics().then((text) => answer(200, text, metrics.contentType));
    } else answer(404, '{"status":"not found"}', 'application/json');
  });
  await listen(server, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether a service can do its work right now. */
export async function readiness(
  bus: Bus,
  database: Database | undefined,
  isServing: () => boolean = () => true,
): Promise<{ ready: boolean; bus: boolean; database?: boolean; clock?: boolean }> {
  const isConnected = bus.connected();
  if (!database) return { ready: isServing() && isConnected, bus: isConnected };
  const store = await clockAgrees(database).then(
    (clock) => ({ database: true, clock }),
    () => ({ database: false, clock: true }),
  );
  const ready = isServing() && isConnected && store.database && store.clock;
  return { ready, bus: isConnected, ...store };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve());
  });
}
