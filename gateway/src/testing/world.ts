import { createPublicKey, randomBytes } from 'node:crypto';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { type Database, openDatabase, type Row } from '@cloudhal/shared/database';
import { houseFile } from '@cloudhal/shared/house-file';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { connectRedisKeyValue } from '@cloudhal/shared/key-value/redis-key-value';
import { createLog, type Log } from '@cloudhal/shared/log';
import { migrate } from '@cloudhal/shared/migrate';
import type { Verifier } from '@cloudhal/shared/permit';
import type { Role } from '@cloudhal/shared/policy';
import { generateSigner } from '@cloudhal/shared/secrets';
import { testDatabase } from '@cloudhal/shared/testing/test-database';
import { createMembers } from '../auth/members.ts';
import { type Gateway, type Settings, start } from '../service.ts';
import { type Received, type Sent, send } from './send.ts';

/** A gateway with real stores, and whatever a test answers on its bus in place of the other services. */
export type Replica = Gateway & { bus: Bus; send(path: string, request?: Sent): Promise<Received> };

export type Browser = {
  memberId: string;
  /** With the person's cookie, from our own page. */
  send(path: string, request?: Sent & { json?: unknown }): Promise<Received>;
  cookie: string;
};

export type World = {
  /** As the role that owns the tables. */
  owner: Database;
  keyValue: KeyValue;
  /** For the tokens that the gateway signs. */
  verifier: Verifier;
  deploymentToken: string;
  sessionSecret: Buffer;
  /** All that was logged so far. */
  logged(): string;
  events(type?: string): Promise<Row[]>;
  /** Does something while no line of the record can be written. */
  withoutRecord<T>(work: () => Promise<T>): Promise<T>;
  replica(settings?: Partial<Settings>, options?: ReplicaOptions): Promise<Replica>;
  /** Makes an account by an invitation and signs in with it. */
  person(replica: Replica, role: Role): Promise<Browser>;
  stop(): Promise<void>;
};

export type ReplicaOptions = { bus?: Bus; keyValue?: KeyValue; peppers?: Buffer[] };

export async function startWorld(kind: 'redis' | 'postgres' = 'redis'): Promise<World> {
  const { database: owner, urlAs, drop } = await testDatabase();
  await migrate(owner, 'gateway', houseFile('gateway/migrations'));
  const databaseUrl = urlAs('gateway');
  const lines: string[] = [];
  const log = createLog('gateway', { level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const database = openDatabase({ url: databaseUrl, name: 'gateway-test' });
  const keyValue = kind === 'redis' ? await testRedis(log) : await createPostgresKeyValue(database);
  const { signer } = generateSigner();
  const secrets = { peppers: [randomBytes(32)], session: randomBytes(32), kek: randomBytes(32) };
  const deploymentToken = `chd_${randomBytes(32).toString('base64url')}`;
  const stops: (() => Promise<void>)[] = [];

  const world: World = {
    owner,
    keyValue,
    verifier: new Map([[signer.kid, createPublicKey(signer.privateKey)]]),
    deploymentToken,
    sessionSecret: secrets.session,
    logged: () => lines.join(''),
    events: (type) =>
      owner
        .query('SELECT event FROM gateway.outbox ORDER BY seq')
        .then((rows) => rows.map(({ event }) => event).filter((event) => type === undefined || event.type === type)),
    async withoutRecord(work) {
      await owner.query('REVOKE INSERT ON gateway.outbox FROM cloudhal_gateway');
      return work().finally(() => owner.query('GRANT INSERT ON gateway.outbox TO cloudhal_gateway'));
    },
    async replica(settings, options = {}) {
      const bus = options.bus ?? createInProcessBus({ log });
      const gateway = await start({
        bus,
        keyValue: options.keyValue ?? keyValue,
        database,
        databaseUrl,
        log,
        signer,
        secrets: { ...secrets, deploymentToken, ...(options.peppers && { peppers: options.peppers }) },
        settings: { version: '0.0.0', listen: { port: 0 }, drainMs: 1_000, ...settings },
      });
      stops.push(async () => {
        await gateway.stop();
        await bus.close();
      });
      return {
        ...gateway,
        bus,
        send: (path, request) =>
          send(`http://127.0.0.1:${gateway.port}${path}`, {
            ...request,
            headers: { host: new URL(gateway.url).host, ...request?.headers },
          }),
      };
    },
    async person(replica, role) {
      const token = await invite(owner, role);
      const email = `${role}-${randomBytes(4).toString('hex')}@example.com`;
      const joined = await replica.send('/api/join', {
        method: 'POST',
        headers: { origin: replica.url, 'content-type': 'application/json' },
        body: JSON.stringify({ token, name: `The ${role}`, email, password: 'correct horse battery' }),
      });
      if (joined.status !== 201) throw new Error(`No account could be made: ${joined.text}`);
      return browser(replica, joined.json.person.id, cookieOf(joined));
    },
    async stop() {
      for (const stop of stops.reverse()) await stop();
      await keyValue.close();
      await database.close();
      await drop();
    },
  };
  return world;
}

export function browser(replica: Replica, memberId: string, cookie: string): Browser {
  return {
    memberId,
    cookie,
    send: (path, { json, ...request } = {}) =>
      replica.send(path, {
        ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
        ...request,
        headers: {
          cookie,
          origin: replica.url,
          'sec-fetch-site': 'same-origin',
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...request.headers,
        },
      }),
  };
}

export function cookieOf({ headers }: Received): string {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

async function testRedis(log: Log): Promise<KeyValue> {
  const url = process.env.CLOUDHAL_TEST_REDIS_URL;
  if (!url) throw new Error('CLOUDHAL_TEST_REDIS_URL is not set; run the tests with vitest, which sets it.');
  return connectRedisKeyValue({ url, prefix: `test-${randomBytes(6).toString('hex')}:`, log });
}

/** Stands for an owner who invited somebody, where a test is not about that. */
async function invite(owner: Database, role: Role): Promise<string> {
  const members = createMembers({
    database: owner,
    announcer: { announce: async () => {}, stop: async () => {} },
  });
  const { token } = await members.invite({ id: 'somebody', name: 'Somebody', role: 'owner' }, role);
  return token;
}
