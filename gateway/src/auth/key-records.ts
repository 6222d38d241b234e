import type { Queryable } from '@cloudhal/shared/database';
import type { Mode, PersonAttested, Role, Scopes } from '@cloudhal/shared/policy';
import type { Toolset } from '@cloudhal/shared/tool';
import { warningsFor } from './mint-rules.ts';

/** A key as it is kept, with what its owner is today. */
export type KeyRecord = {
  id: string;
  name: string;
  ownerId: string;
  /** Absent: the owner no longer belongs here. */
  ownerRole: Role | null;
  hash: Buffer;
  pepperId: string;
  previousHash: Buffer | null;
  previousPepperId: string | null;
  previousLive: boolean;
  /** Neither revoked nor expired, by database time. */
  live: boolean;
  revoked: boolean;
  mode: Mode;
  scopes: Scopes;
  sites: string[] | '*';
  toolsets: Toolset[] | null;
  personAttested: PersonAttested;
  confirmTokenFallback: boolean;
  generation: number;
  ratePerMinute: number | null;
};

const columns = `
  k.id, k.name, k.owner_id AS "ownerId", m.role AS "ownerRole", k.hash, k.pepper_id AS "pepperId",
  k.previous_hash AS "previousHash", k.previous_pepper_id AS "previousPepperId",
  coalesce(k.previous_until > now(), false) AS "previousLive",
  k.revoked_at IS NULL AND k.expires_at > now() AS live, k.revoked_at IS NOT NULL AS revoked,
  k.mode, k.scopes, k.sites, k.toolsets, k.person_attested AS "personAttested",
  k.confirm_token_fallback AS "confirmTokenFallback", k.generation, k.rate_per_minute AS "ratePerMinute"`;

/** One key by its id; the statement of each authentication that the cache does not answer. */
export async function readKey(database: Queryable, keyId: string): Promise<KeyRecord | undefined> {
  const [record] = await database.query<KeyRecord>(
    `SELECT ${columns} FROM gateway.agent_key k LEFT JOIN gateway.member m ON m.id = k.owner_id WHERE k.id = $1`,
    [keyId],
    { name: 'read_agent_key' },
  );
  return record;
}

/** A key as people see it. */
export type KeyView = {
  id: string;
  name: string;
  /** What the secret begins and ends with. */
  hint: string;
  owner: { id: string; name: string; role: Role | null };
  mode: Mode;
  scopes: Scopes;
  sites: string[] | '*';
  toolsets: Toolset[] | null;
  personAttested: PersonAttested;
  confirmTokenFallback: boolean;
  generation: number;
  /** Calls a minute; absent where the deployment's own limit holds. */
  ratePerMinute: number | null;
  state: 'active' | 'expired' | 'revoked' | 'ownerless';
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The secret before the last rotation is good until then. */
  previousUntil: string | null;
  /** What a person should think about, such as rights that do not go well together. */
  warnings: string[];
};

const view = `
  k.id, k.name, 'chk_live_' || k.id || '_…' || k.last4 AS hint,
  jsonb_build_object('id', k.owner_id, 'name', coalesce(m.name, 'former member'), 'role', m.role) AS owner,
  k.mode, k.scopes, k.sites, k.toolsets, k.person_attested AS "personAttested",
  k.confirm_token_fallback AS "confirmTokenFallback", k.generation, k.rate_per_minute AS "ratePerMinute",
  CASE WHEN k.previous_until > now() THEN k.previous_until END AS "previousUntil",
  CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired'
    WHEN m.id IS NULL THEN 'ownerless' ELSE 'active' END AS state,
  k.created_by AS "createdBy", k.created_at AS "createdAt", k.expires_at AS "expiresAt",
  k.last_used_at AS "lastUsedAt", k.revoked_at AS "revokedAt"`;

export type KeyFilter = { id?: string; ownerId?: string };

/** Keys, newest first. */
export async function viewKeys(database: Queryable, { id, ownerId }: KeyFilter = {}): Promise<KeyView[]> {
  const keys = await database.query<Omit<KeyView, 'warnings'>>(
    `SELECT ${view} FROM gateway.agent_key k LEFT JOIN gateway.member m ON m.id = k.owner_id
     WHERE ($1::text IS NULL OR k.id = $1) AND ($2::text IS NULL OR k.owner_id = $2)
     ORDER BY k.created_at DESC, k.id LIMIT 1000`,
    [id ?? null, ownerId ?? null],
  );
  return keys.map((key) => ({ ...key, warnings: warningsFor(key) }));
}
