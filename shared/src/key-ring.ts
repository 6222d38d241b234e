import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from './database.ts';
import { fail } from './errors.ts';
import type { KeyValue } from './key-value/key-value.ts';
import type { Log } from './log.ts';
import type { Schema } from './migrate.ts';
import { openBox, sealBox } from './sealed-box.ts';

/**
 * Seals small tokens that travel through strangers' hands. What is sealed can be read by them but not changed, and not
 * used for another purpose. Whether a token has expired or was used is its owner's to say.
 */
export interface KeyRing {
  /** `v1.<kid>.<payload>.<mac>`, each part base64url. */
  seal(purpose: string, payload: object): Promise<string>;
  /**
   * The payload; `state_invalid` for whatever `seal` did not make for this purpose, with the detail `unknownKey` where the
   * key that it names is no longer, or not yet, part of the ring.
   */
  open<T extends object>(purpose: string, token: string): Promise<T>;
  /** Adds a key that verifies at once, signs a little later on all replicas, and retires the keys before it. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
}

export type KeyRingOptions = {
  name: string;
  keyValue: KeyValue;
  database: Database;
  /** Whose table `key_ring` holds the durable copy. */
  schema: Schema;
  /** 32 bytes; wraps the keys where they are stored. */
  kek: Buffer;
  log: Log;
  /** How long a key still verifies after it stopped signing; default 11 minutes. */
  overlapMs?: number;
  /** How long a new key only verifies, so that every replica knows it first; default 15 s. */
  activationMs?: number;
  /** How often the ring is read again; default 10 s. */
  pollMs?: number;
  /** The age at which the newest key gets a successor by itself; default 30 days. */
  rotateEveryMs?: number;
};

/** Times are milliseconds since 1970. The newest key whose time to sign has come is the one that signs. */
type Key = { kid: string; secret: string; madeAt: number; signFrom: number; verifyUntil?: number };
type Ring = { version: number; keys: Key[] };

/** Replicas go on sealing this long with a ring that they cannot read again. */
const staleAfterMs = 3_600_000;
const searchEveryMs = 1_000;

export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const ring = new StoredKeyRing(options);
  await ring.start();
  return ring;
}

class StoredKeyRing implements KeyRing {
  readonly #options: Required<KeyRingOptions>;
  readonly #slot: string;
  #ring: Ring = { version: 0, keys: [] };
  #readAt = 0;
  #searchedAt = 0;
  #loading: Promise<void> | undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(options: KeyRingOptions) {
    this.#options = {
      overlapMs: 660_000,
      activationMs: 15_000,
      pollMs: 10_000,
      rotateEveryMs: 30 * 86_400_000,
      ...options,
    };
    this.#slot = `key-ring:${options.schema}:${options.name}`;
  }

  async start(): Promise<void> {
    await this.#load();
    // Signs from the beginning of time: a replica whose clock is behind must not have to wait for it.
    if (this.#ring.version === 0) await this.#change((keys) => (keys.length > 0 ? keys : [newKey(0)]));
    this.#poll = setInterval(() => {
      this.#keep().catch((error: unknown) => this.#options.log.warn({ err: error }, 'the key ring could not be kept'));
    }, this.#options.pollMs);
    this.#poll.unref();
  }

  async seal(purpose: string, payload: object): Promise<string> {
    const now = Date.now();
    if (now - this.#readAt > staleAfterMs) throw fail('storage_unavailable');
    const key = this.#ring.keys.filter(({ signFrom }) => signFrom <= now).sort((a, b) => b.signFrom - a.signFrom)[0];
    if (!key) throw fail('storage_unavailable');
    const signed = `v1.${key.kid}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
    return `${signed}.${macOf(key, purpose, signed).toString('base64url')}`;
  }

  async open<T extends object>(purpose: string, token: string): Promise<T> {
    const parts = /^v1\.([a-z0-9]{1,32})\.([A-Za-z0-9_-]{1,4096})\.([A-Za-z0-9_-]{43})$/.exec(token);
    const [, kid = '', payload = '', mac = ''] = parts ?? [];
    // base64url has several spellings of the same bytes; only the one that was sent out is taken.
    if (!parts || !isCanonical(payload) || !isCanonical(mac)) throw fail('state_invalid');
    const key = this.#find(kid) ?? (await this.#findAgain(kid));
    if (!key) throw fail('state_invalid', { unknownKey: true });
    const expected = macOf(key, purpose, `v1.${kid}.${payload}`);
    if (!timingSafeEqual(Buffer.from(mac, 'base64url'), expected)) throw fail('state_invalid');
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as T;
  }

  #find(kid: string): Key | undefined {
    const now = Date.now();
    return this.#ring.keys.find((key) => key.kid === kid && (key.verifyUntil === undefined || key.verifyUntil > now));
  }

  /** Another replica may have added the key; strangers may also invent ids, so the store is asked once a second at most. */
  async #findAgain(kid: string): Promise<Key | undefined> {
    if (!this.#loading) {
      if (Date.now() - this.#searchedAt < searchEveryMs) return undefined;
      this.#searchedAt = Date.now();
    }
    await this.#load(kid).catch(() => undefined);
    return this.#find(kid);
  }

  #load(kid?: string): Promise<void> {
    this.#loading ??= this.#read(kid).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** The fast copy first; the durable one where that is away, lost, older than what is known, or lacks the key. */
  async #read(kid?: string): Promise<void> {
    const { keyValue, log } = this.#options;
    let fast: Ring | undefined;
    try {
      fast = this.#unwrap(await keyValue.get(this.#slot));
    } catch (error) {
      log.debug({ err: error }, 'the fast copy of the key ring could not be read');
    }
    if (fast && fast.version >= this.#ring.version && (!kid || fast.keys.some((key) => key.kid === kid))) {
      this.#take(fast);
      return;
    }
    const { database, schema, name } = this.#options;
    const [row] = await database.query<{ sealed: string }>(`SELECT sealed FROM ${schema}.key_ring WHERE name = $1`, [
      name,
    ]);
    const durable = this.#unwrap(row?.sealed);
    if (!durable) return;
    this.#take(durable);
    if (row && (!fast || fast.version < durable.version)) await this.#share(row.sealed);
  }

  #take(ring: Ring): void {
    if (ring.version >= this.#ring.version) this.#ring = ring;
    this.#readAt = Date.now();
  }

  /** Reads the ring again, and replaces a key that is old. */
  async #keep(): Promise<void> {
    await this.#load();
    // Of several replicas that see the same old key, the first to hold the row replaces it.
    if (this.#isOld(this.#ring.keys)) await this.#change((keys) => (this.#isOld(keys) ? this.#successor(keys) : keys));
  }

  #isOld(keys: readonly Key[]): boolean {
    return keys.length > 0 && Math.max(...keys.map(({ madeAt }) => madeAt)) < Date.now() - this.#options.rotateEveryMs;
  }

  async rotate(): Promise<void> {
    await this.#change((keys) => this.#successor(keys));
  }

  #successor(keys: readonly Key[]): Key[] {
    const signFrom = Date.now() + this.#options.activationMs;
    const verifyUntil = signFrom + this.#options.overlapMs;
    return [...keys.map((key) => ({ ...key, verifyUntil: key.verifyUntil ?? verifyUntil })), newKey(signFrom)];
  }

  /** Changes the durable copy under its row's lock, so that two replicas never overwrite each other. */
  async #change(edit: (keys: Key[]) => Key[]): Promise<void> {
    const { database, schema, name } = this.#options;
    const { next, sealed } = await database.transaction(async (tx) => {
      await tx.query(`INSERT INTO ${schema}.key_ring (name, sealed) VALUES ($1, '') ON CONFLICT (name) DO NOTHING`, [
        name,
      ]);
      const [row] = await tx.query<{ sealed: string }>(
        `SELECT sealed FROM ${schema}.key_ring WHERE name = $1 FOR UPDATE`,
        [name],
      );
      const current = this.#unwrap(row?.sealed || undefined) ?? { version: 0, keys: [] };
      const now = Date.now();
      const keys = edit(current.keys).filter(({ verifyUntil }) => verifyUntil === undefined || verifyUntil > now);
      const next: Ring = { version: current.version + 1, keys };
      const sealed = sealBox(this.#options.kek, JSON.stringify(next), this.#slot);
      await tx.query(`UPDATE ${schema}.key_ring SET sealed = $2, updated_at = now() WHERE name = $1`, [name, sealed]);
      return { next, sealed };
    });
    this.#take(next);
    await this.#share(sealed);
  }

  async #share(sealed: string): Promise<void> {
    await this.#options.keyValue.set(this.#slot, sealed).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'the fast copy of the key ring could not be written');
    });
  }

  #unwrap(sealed: string | undefined): Ring | undefined {
    if (!sealed) return undefined;
    return JSON.parse(openBox(this.#options.kek, sealed, this.#slot).toString('utf8')) as Ring;
  }

  async stop(): Promise<void> {
    clearInterval(this.#poll);
    await this.#loading?.catch(() => undefined);
  }
}

function newKey(signFrom: number): Key {
  const secret = randomBytes(32).toString('base64url');
  return { kid: randomBytes(6).toString('hex'), secret, madeAt: Date.now(), signFrom };
}

/** The purpose is part of what is signed, with its length, so that no two pairs of purpose and text are alike. */
function macOf(key: Key, purpose: string, signed: string): Buffer {
  return createHmac('sha256', Buffer.from(key.secret, 'base64url'))
    .update(`cloudhal.token.${purpose.length}.${purpose}.${signed}`)
    .digest();
}

function isCanonical(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}
