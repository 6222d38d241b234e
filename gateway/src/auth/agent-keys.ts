import type { Database, Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import type { Role } from '@cloudhal/shared/policy';
import type { KeyAnnouncer } from './announce-key.ts';
import { personId } from './check-key.ts';
import { hashKey, newKey, newKeyId, type Pepper, parseKey } from './key-format.ts';
import { type KeyView, viewKeys } from './key-records.ts';
import {
  checkRights,
  defaultLifetimeDays,
  defaultMode,
  type KeyChange,
  type KeyRotation,
  type KeyWish,
  warningsFor,
} from './mint-rules.ts';

/** A member who acts: the owner of the keys that they make. */
export type Member = { id: string; name: string; role: Role };

/** `secret` is the whole key; it is shown once and kept nowhere. */
export type NewKey = { key: KeyView; secret: string; warnings: string[] };

export type AgentKeys = {
  create(member: Member, wish: KeyWish): Promise<NewKey>;
  /** One's own; owners and auditors of the deployment see all. */
  list(member: Member): Promise<KeyView[]>;
  /** One key; what a member may not see does not exist for them. */
  see(member: Member, keyId: string): Promise<KeyView>;
  change(member: Member, keyId: string, change: KeyChange): Promise<KeyView>;
  /**
   * A new secret under the same id, for its owner alone, who it acts for; and a new end where one is said; the old one stays good for `overlapHours`, at most 24.
   * A key that has expired comes back with it, within today's role: for as long as said, and its old secret never again.
   */
  rotate(member: Member, keyId: string, rotation: KeyRotation): Promise<NewKey>;
  /** Takes effect everywhere within a second. Revoking twice is no error. */
  revoke(member: Member, keyId: string): Promise<KeyView>;
};

export function createAgentKeys(deps: {
  database: Database;
  peppers: readonly Pepper[];
  announcer: KeyAnnouncer;
}): AgentKeys {
  const { database, announcer } = deps;
  const pepper = deps.peppers[0];
  if (!pepper) throw new Error('Agent keys need a pepper.');

  function secretFor(keyId: string) {
    const secret = newKey(keyId);
    return { secret, hash: hashKey(parseKey(secret)!, pepper!), last4: secret.slice(-4) };
  }

  /** The key as the member may see it; one that they may not see does not exist for them. */
  async function seen(from: Queryable, member: Member, keyId: string, toChange: boolean): Promise<KeyView> {
    const [key] = await viewKeys(from, { id: keyId });
    const allowed = key && (key.owner.id === member.id || seesAll(member.role, toChange));
    if (!allowed) throw fail('not_found', { what: 'agent key', id: keyId });
    return key;
  }

  return {
    async create(member, wish) {
      const mode = wish.mode ?? defaultMode(member.role);
      checkRights({ mode, scopes: wish.scopes }, member.role);
      const id = newKeyId();
      const { secret, hash, last4 } = secretFor(id);
      const key = await database.transaction(async (tx) => {
        await tx.query(
          `INSERT INTO gateway.agent_key (id, name, owner_id, hash, pepper_id, last4, mode, scopes, sites, toolsets,
             person_attested, confirm_token_fallback, created_by, expires_at, rate_per_minute)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now() + make_interval(days => $14), $15)`,
          [
            id,
            wish.name,
            member.id,
            hash,
            pepper.id,
            last4,
            mode,
            JSON.stringify(wish.scopes),
            JSON.stringify(wish.sites ?? '*'),
            wish.toolsets === undefined ? null : JSON.stringify(wish.toolsets),
            wish.personAttested ?? 'off',
            wish.confirmTokenFallback ?? true,
            personId(member.id),
            wish.expiresInDays ?? defaultLifetimeDays,
            wish.ratePerMinute ?? null,
          ],
        );
        const made = await seen(tx, member, id, false);
        await record(tx, 'key.created', member, made);
        return made;
      });
      return { key, secret, warnings: warningsFor(key) };
    },

    see: (member, keyId) => seen(database, member, keyId, false),

    list: (member) => viewKeys(database, seesAll(member.role, false) ? {} : { ownerId: member.id }),

    async change(member, keyId, change) {
      const key = await database.transaction(async (tx) => {
        await lock(tx, keyId);
        const before = await seen(tx, member, keyId, true);
        refuseEnded(before);
        checkRights(change, member.role);
        if (before.owner.role !== null) checkRights(change, before.owner.role);
        const after = { ...before, ...change };
        await tx.query(
          `UPDATE gateway.agent_key SET name = $2, mode = $3, scopes = $4, sites = $5, toolsets = $6,
             person_attested = $7, confirm_token_fallback = $8, rate_per_minute = $9,
             expires_at = coalesce(now() + make_interval(days => $10), expires_at), generation = generation + 1
           WHERE id = $1`,
          [
            keyId,
            after.name,
            after.mode,
            JSON.stringify(after.scopes),
            JSON.stringify(after.sites),
            after.toolsets === null || after.toolsets.length === 0 ? null : JSON.stringify(after.toolsets),
            after.personAttested,
            after.confirmTokenFallback,
            after.ratePerMinute,
            change.expiresInDays ?? null,
          ],
        );
        const made = await seen(tx, member, keyId, true);
        await record(tx, 'key.changed', member, made, Object.keys(change));
        return made;
      });
      await announcer.announce(keyId);
      return key;
    },

    async rotate(member, keyId, { overlapHours = 0, expiresInDays }) {
      const { secret, hash, last4 } = secretFor(keyId);
      const key = await database.transaction(async (tx) => {
        await lock(tx, keyId);
        const before = await seen(tx, member, keyId, true);
        if (before.owner.id !== member.id) throw fail('forbidden', { needs: 'the owner of the key' });
        const isRenewed = before.state === 'expired';
        if (isRenewed) checkRights(before, member.role);
        else refuseEnded(before);
        await tx.query(
          `UPDATE gateway.agent_key SET previous_hash = hash, previous_pepper_id = pepper_id,
             previous_until = now() + make_interval(hours => $2), hash = $3, pepper_id = $4, last4 = $5,
             expires_at = coalesce(now() + make_interval(days => $6), expires_at), generation = generation + 1
           WHERE id = $1`,
          [
            keyId,
            isRenewed ? 0 : overlapHours,
            hash,
            pepper.id,
            last4,
            expiresInDays ?? (isRenewed ? defaultLifetimeDays : null),
          ],
        );
        const made = await seen(tx, member, keyId, true);
        await record(tx, 'key.rotated', member, made);
        return made;
      });
      await announcer.announce(keyId);
      return { key, secret, warnings: warningsFor(key) };
    },

    async revoke(member, keyId) {
      const key = await database.transaction(async (tx) => {
        await lock(tx, keyId);
        const before = await seen(tx, member, keyId, true);
        if (before.state === 'revoked') return before;
        await tx.query(
          'UPDATE gateway.agent_key SET revoked_at = now(), revoked_by = $2, generation = generation + 1 WHERE id = $1',
          [keyId, personId(member.id)],
        );
        const made = await seen(tx, member, keyId, true);
        await record(tx, 'key.revoked', member, made);
        return made;
      });
      await announcer.announce(keyId);
      return key;
    },
  };
}

function seesAll(role: Role, toChange: boolean): boolean {
  return role === 'owner' || (role === 'auditor' && !toChange);
}

/** Changes of one key come one after the other; `seen` reads in a later statement, so it sees what the one before left. */
async function lock(tx: Queryable, keyId: string): Promise<void> {
  await tx.query('SELECT 1 FROM gateway.agent_key WHERE id = $1 FOR UPDATE', [keyId]);
}

function refuseEnded(key: KeyView): void {
  if (key.state === 'revoked' || key.state === 'expired')
    throw fail('not_found', { what: 'active agent key', id: key.id });
}

async function record(tx: Queryable, type: string, member: Member, key: KeyView, changed?: string[]): Promise<void> {
  const { id, name, mode, scopes, sites, generation, expiresAt } = key;
  const event = auditEvent('gateway', {
    type,
    site: '_deployment',
    actor: { type: member.id === 'local' ? 'local' : 'person', id: personId(member.id), name: member.name },
    targets: [{ id: `agent:${id}` }],
    details: { name, mode, scopes, sites, generation, expiresAt, ...(changed && { changed }) },
  });
  await putInOutbox(tx, 'gateway', event);
}
