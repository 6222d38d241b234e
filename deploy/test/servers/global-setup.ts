import { ensureBrowser } from './browser.ts';
import { hasCompose, startCompose } from './compose.ts';
import { findProgram } from './find-program.ts';
import { startNats } from './nats.ts';
import { startPostgres } from './postgres.ts';
import type { Program } from './programs.ts';
import { startRedis } from './redis.ts';

type Server = { program: Program; service: string; start: () => Promise<{ url: string; stop(): Promise<void> }> };

/** The servers that tests share, by the variable in which tests find them. */
const servers: Record<string, Server> = {
  CLOUDHAL_TEST_POSTGRES_URL: { program: 'postgres', service: 'postgres', start: startPostgres },
  CLOUDHAL_TEST_NATS_URL: { program: 'nats-server', service: 'nats', start: startNats },
  CLOUDHAL_TEST_REDIS_URL: { program: 'redis-server', service: 'redis', start: startRedis },
};

const urlOf: Record<string, (port: number) => string> = {
  postgres: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
  nats: (port) => `nats://127.0.0.1:${port}`,
  redis: (port) => `redis://127.0.0.1:${port}`,
};

/** Gives the tests their browser and their servers: those named in the environment, else programs of this machine, else containers, else what apt installs. */
export default async function setup(): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
  try {
    process.env.CLOUDHAL_TEST_CHROMIUM ||= await ensureBrowser();
    const missing: [string, Server][] = [];
    for (const entry of Object.entries(servers)) {
      if (process.env[entry[0]]) continue;
      if (await findProgram(entry[1].program)) await start(...entry, stops);
      else missing.push(entry);
    }
    if (missing.length > 0 && (await hasCompose())) await startInContainers(missing, stops);
    else for (const entry of missing) await start(...entry, stops);
    return stopAll;
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function start(variable: string, server: Server, stops: (() => Promise<void>)[]): Promise<void> {
  const started = await server.start();
  stops.push(() => started.stop());
  process.env[variable] = started.url;
}

async function startInContainers(missing: [string, Server][], stops: (() => Promise<void>)[]): Promise<void> {
  const { ports, stop } = await startCompose(missing.map(([, { service }]) => service));
  stops.push(stop);
  for (const [variable, { service }] of missing) process.env[variable] = urlOf[service]?.(ports[service] ?? 0);
}
