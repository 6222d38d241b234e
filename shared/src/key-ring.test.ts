import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { CloudhalError, fail } from './errors.ts';
import { type KeyRing, type KeyRingOptions, openKeyRing } from './key-ring.ts';
import type { KeyValue } from './key-value/key-value.ts';
import { createPostgresKeyValue } from './key-value/postgres-key-value.ts';
import { type TestDatabase, testDatabase } from './testing/test-database.ts';

const log = pino({ level: 'silent' });
const kek = randomBytes(32);
let db: TestDatabase;
let keyValue: KeyValue;
const rings: KeyRing[] = [];

beforeAll(async () => {
  db = await testDatabase();
  await db.database.query(
    'CREATE TABLE policy.key_ring (name text PRIMARY KEY, sealed text NOT NULL, updated_at timestamptz NOT NULL DEFAULT now())',
  );
  keyValue = await createPostgresKeyValue(db.database);
});
beforeEach(() => db.database.query('TRUNCATE policy.key_ring, shared.key_value'));
afterEach(() => Promise.all(rings.splice(0).map((ring) => ring.stop())));
afterAll(async () => {
  await keyValue.close();
  await db.drop();
});

/** One replica's ring; the polls are off so that tests see what is done without them. */
async function replica(options: Partial<KeyRingOptions> = {}): Promise<KeyRing> {
  const ring = await openKeyRing({
    name: 'approvals',
    keyValue,
    database: db.database,
    schema: 'policy',
    kek,
    log,
    activationMs: 0,
    pollMs: 3_600_000,
    ...options,
  });
  rings.push(ring);
  return ring;
}

const away = (): Promise<never> => Promise.reject(fail('storage_unavailable'));
const downKeyValue: KeyValue = { ...({} as KeyValue), get: away, set: away, close: async () => undefined };

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'opened',
    (reason: unknown) => reason,
  );
  return error instanceof CloudhalError ? error.code : String(error);
}

const kidOf = (token: string) => token.split('.')[1];

describe('a sealed token', () => {
  it('opens to what was sealed, for the same purpose', async () => {
    const ring = await replica();
    const token = await ring.seal('rs', { aid: 'ap_1', n: 1, text: 'Grüße' });
    expect(token).toMatch(/^v1\.[a-z0-9]+\.[\w-]+\.[\w-]{43}$/);
    expect(await ring.open('rs', token)).toEqual({ aid: 'ap_1', n: 1, text: 'Grüße' });
  });

  it('does not open for another purpose (R17)', async () => {
    const ring = await replica();
    const token = await ring.seal('rs', { aid: 'ap_1' });
    for (const purpose of ['ct', '', 'r', 'rs.']) expect(await codeOf(ring.open(purpose, token))).toBe('state_invalid');
  });

  it('does not open once anything in it was changed (R16)', async () => {
    const ring = await replica();
    const token = await ring.seal('rs', { aid: 'ap_1', exp: 12_345 });
    const [version, kid, payload = '', mac = ''] = token.split('.');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // The same 32 bytes in their other spellings: the last letter carries two bits that mean nothing.
    const last = alphabet.indexOf(mac.slice(-1));
    const respelled = [1, 2, 3].map((bits) => mac.slice(0, -1) + alphabet[last ^ bits]);
    for (const other of respelled) expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(mac, 'base64url'));
    const otherPayload = Buffer.from('{"aid":"ap_2","exp":12345}').toString('base64url');
    const garbled = [
      ...respelled.map((other) => `v1.${kid}.${payload}.${other}`),
      `v1.${kid}.${otherPayload}.${mac}`,
      `v1.${kid}.${payload}.${mac}=`,
      `v1.${kid}.${payload}.${mac}\n`,
      ` ${token}`,
      `v1.${kid}.${payload}=.${mac}`,
      `v1.${kid}.${payload}`,
      `v1.${kid}.${payload}.`,
      `v1.${kid}..${mac}`,
      `v2.${kid}.${payload}.${mac}`,
      `${version}.__proto__.${payload}.${mac}`,
      `${version}.${kid}.${payload}.${mac}.${mac}`,
      `v1.${kid}.${payload}.${randomBytes(32).toString('base64url')}`,
      `v1.${kid}.${payload}.${mac.replaceAll('-', '+').replaceAll('_', '/')}!`,
      '',
      'v1...',
      'x'.repeat(1_000_000),
    ];
    for (const other of garbled)
      expect(await codeOf(ring.open('rs', other)), other.slice(0, 200)).toBe('state_invalid');
    expect(await codeOf(ring.open('rs', token))).toBe('opened');
  });

  it('of a ring with another key-encryption key or name does not open', async () => {
    const token = await (await replica()).seal('rs', {});
    expect(await codeOf((await replica({ name: 'previews' })).open('rs', token))).toBe('state_invalid');
  });
});

describe('replicas', () => {
  it("open each other's tokens", async () => {
    const [one, two] = [await replica(), await replica()];
    expect(await two.open('rs', await one.seal('rs', { n: 1 }))).toEqual({ n: 1 });
    expect(await one.open('rs', await two.seal('rs', { n: 2 }))).toEqual({ n: 2 });
  });

  it('that start at the same moment share one ring', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => replica()));
    const tokens = await Promise.all(all.map((ring) => ring.seal('rs', {})));
    for (const ring of all) for (const token of tokens) expect(await codeOf(ring.open('rs', token))).toBe('opened');
  });

  it('learn of a new key from a token that carries it (R13)', async () => {
    const [one, two] = [await replica(), await replica()];
    const before = await one.seal('rs', {});
    await one.rotate();
    const after = await one.seal('rs', { fresh: true });
    expect(kidOf(after)).not.toBe(kidOf(before));
    expect(await two.open('rs', after)).toEqual({ fresh: true });
  });

  it('never sign with a key that could not be stored', async () => {
    const other = await replica();
    const lost: Database['transaction'] = (work) =>
      db.database.transaction(async (tx) => {
        await work(tx);
        throw fail('storage_unavailable');
      });
    const one = await replica({
      database: { ...db.database, query: db.database.query.bind(db.database), transaction: lost },
    });
    expect(await codeOf(one.rotate())).toBe('storage_unavailable');
    expect(await codeOf(other.open('rs', await one.seal('rs', {})))).toBe('opened');
  });

  it('read the ring again from time to time, and so sign with the new key', async () => {
    const one = await replica();
    const two = await replica({ pollMs: 50 });
    await one.rotate();
    const fresh = kidOf(await one.seal('rs', {}));
    for (let i = 0; i < 200 && kidOf(await two.seal('rs', {})) !== fresh; i++) await sleep(20);
    expect(kidOf(await two.seal('rs', {}))).toBe(fresh);
  });

  it('ask the store once for many unknown keys, and not again within a second', async () => {
    let reads = 0;
    const counting: KeyValue = {
      ...downKeyValue,
      set: (key, value) => keyValue.set(key, value),
      get(key) {
        reads++;
        return keyValue.get(key);
      },
    };
    const ring = await replica({ keyValue: counting });
    reads = 0;
    const mac = randomBytes(32).toString('base64url');
    const strangers = Array.from({ length: 50 }, (_, i) => ring.open('rs', `v1.stranger${i}.e30.${mac}`));
    for (const stranger of strangers) expect(await codeOf(stranger)).toBe('state_invalid');
    expect(await codeOf(ring.open('rs', `v1.another.e30.${mac}`))).toBe('state_invalid');
    expect(reads).toBe(1);
  });
});

describe('rotation', () => {
  it('interrupts no round that is under way (R14)', async () => {
    const [one, two] = [await replica(), await replica()];
    const before = await one.seal('rs', { n: 1 });
    await one.rotate();
    await one.rotate();
    expect(await one.open('rs', before)).toEqual({ n: 1 });
    expect(await two.open('rs', before)).toEqual({ n: 1 });
  });

  it('signs with a new key only after every replica had time to learn it', async () => {
    const one = await replica({ activationMs: 400 });
    const before = kidOf(await one.seal('rs', {}));
    await one.rotate();
    expect(kidOf(await one.seal('rs', {}))).toBe(before);
    await sleep(500);
    expect(kidOf(await one.seal('rs', {}))).not.toBe(before);
  });

  it('retires a key when the tokens that it sealed have expired', async () => {
    const one = await replica({ overlapMs: 200 });
    const before = await one.seal('rs', {});
    await one.rotate();
    expect(await codeOf(one.open('rs', before))).toBe('opened');
    await sleep(300);
    expect(await codeOf(one.open('rs', before))).toBe('state_invalid');
    await one.rotate();
    expect(await codeOf((await replica()).open('rs', before))).toBe('state_invalid');
  });

  it('by two replicas at once loses neither key', async () => {
    const [one, two] = [await replica(), await replica()];
    const before = await one.seal('rs', {});
    await Promise.all([one.rotate(), two.rotate(), one.rotate(), two.rotate()]);
    const tokens = [before, await one.seal('rs', {}), await two.seal('rs', {})];
    const fresh = await replica();
    for (const token of tokens) expect(await codeOf(fresh.open('rs', token))).toBe('opened');
  });
});

describe('a store in trouble', () => {
  it('the ring goes on, and starts, while the key-value store is away (F-RE-1)', async () => {
    const one = await replica();
    const two = await replica({ keyValue: downKeyValue });
    expect(await two.open('rs', await one.seal('rs', { n: 1 }))).toEqual({ n: 1 });
    await two.rotate();
    expect(await codeOf(two.open('rs', await two.seal('rs', {})))).toBe('opened');
    // The other one finds the new key in the durable copy, though the fast one knows nothing of it.
    expect(await one.open('rs', await two.seal('rs', { n: 2 }))).toEqual({ n: 2 });
  });

  it('a key-value store that was flushed gets the ring back from the database (F-RE-5)', async () => {
    const one = await replica();
    const token = await one.seal('rs', {});
    await db.database.query('TRUNCATE shared.key_value');
    const two = await replica();
    expect(await codeOf(two.open('rs', token))).toBe('opened');
    const [row] = await db.database.query('SELECT count(*) AS n FROM shared.key_value');
    expect(row?.n).toBe(1);
  });

  it('an older fast copy never replaces a newer ring', async () => {
    const one = await replica();
    const [old] = await db.database.query('SELECT value FROM shared.key_value');
    await one.rotate();
    const token = await one.seal('rs', {});
    await db.database.query('UPDATE shared.key_value SET value = $1', [old?.value]);
    expect(await codeOf(one.open('rs', token))).toBe('opened');
    expect(await codeOf((await replica()).open('rs', token))).toBe('opened');
  });

  it('a fast copy that is garbage, or sealed by somebody else, is passed over', async () => {
    const token = await (await replica()).seal('rs', {});
    await db.database.query(`UPDATE shared.key_value SET value = 'garbage'`);
    expect(await codeOf((await replica()).open('rs', token))).toBe('opened');
  });

  it('what is stored shows no key', async () => {
    const ring = await replica();
    await ring.seal('rs', {});
    const [row] = await db.database.query('SELECT sealed FROM policy.key_ring');
    expect(Buffer.from(row?.sealed, 'base64url').toString('latin1')).not.toContain('secret');
    await expect(replica({ kek: randomBytes(32) })).rejects.toThrow();
  });
});

describe('a key that is old', () => {
  it('gets one successor by itself, however many replicas see it, and still opens what it sealed', async () => {
    const keeping = { pollMs: 50, rotateEveryMs: 2_500 };
    const [one, two] = [await replica(keeping), await replica(keeping)];
    const token = await one.seal('rs', { aid: 'ap_1' });
    let next = token;
    for (let i = 0; kidOf(next) === kidOf(token) && i < 600; i++) {
      await sleep(25);
      next = await two.seal('rs', { aid: 'ap_1' });
    }
    expect(kidOf(next)).not.toBe(kidOf(token));
    expect(await one.open('rs', next)).toEqual({ aid: 'ap_1' });
    expect(await two.open('rs', token)).toEqual({ aid: 'ap_1' });
    expect(kidOf(await one.seal('rs', {}))).toBe(kidOf(next));
  });
});
