import type { ToolOutcome } from '@cloudhal/shared/contracts';
import type { Mode, Role, Scopes } from '@cloudhal/shared/policy';
import type { Toolset } from '@cloudhal/shared/tool';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import { change, read } from './client.ts';

export type AgentKey = {
  id: string;
  name: string;
  /** What the secret begins and ends with. */
  hint: string;
  owner: { id: string; name: string; role: Role | null };
  mode: Mode;
  scopes: Scopes;
  sites: string[] | '*';
  toolsets: Toolset[] | null;
  ratePerMinute: number | null;
  state: 'active' | 'expired' | 'revoked' | 'ownerless';
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  previousUntil: string | null;
  warnings: string[];
};
export type NewKey = { key: AgentKey; secret: string; warnings: string[] };
export type KeyUsage = { id: string; calls: number; denied: number; waited: number };
export type Outcome = Static<typeof ToolOutcome>;
export type Outcomes = { mode: Mode; tainted: boolean; tools: Outcome[] };

/** What a person wishes of a key; the rest is the server's. */
export type KeyWish = {
  name: string;
  mode: Mode;
  scopes: Scopes;
  sites: string[] | '*';
  toolsets?: Toolset[];
  ratePerMinute?: number | null;
  expiresInDays?: number;
};

export const keysQuery = queryOptions({
  queryKey: ['agent-keys', 'list'],
  queryFn: async ({ signal }) => (await read<{ keys: AgentKey[] }>('agent-keys', { signal })).keys,
});

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent-keys', 'one', id],
    queryFn: async ({ signal }) => (await read<{ key: AgentKey }>(at(id), { signal })).key,
  });

/** Calls of the last seven days, by agent. */
export const usageQuery = queryOptions({
  queryKey: ['agent-keys', 'usage'],
  queryFn: async ({ signal }) => (await read<{ agents: KeyUsage[] }>('agent-keys/usage', { signal })).agents,
  refetchInterval: 30_000,
});

export const outcomesQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent-keys', 'outcomes', id],
    queryFn: ({ signal }) => read<Outcomes>(`${at(id)}/outcomes`, { signal }),
  });

/** Of a key that is not made yet. */
export const wishedOutcomesQuery = (wish: Pick<KeyWish, 'mode' | 'scopes' | 'sites'>) =>
  queryOptions({
    queryKey: ['agent-keys', 'wished', wish],
    queryFn: () => change<Outcomes>('POST', 'agent-keys/outcomes', wish),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

export const createKey = (wish: KeyWish) => change<NewKey>('POST', 'agent-keys', wish);
export const changeKey = (id: string, wish: Partial<KeyWish>) => change<{ key: AgentKey }>('PATCH', at(id), wish);
export const rotateKey = (id: string, rotation: { overlapHours: number } | { expiresInDays: number }) =>
  change<NewKey>('POST', `${at(id)}/rotate`, rotation);
export const revokeKey = (id: string) => change<{ key: AgentKey }>('DELETE', at(id));

function at(id: string): string {
  return `agent-keys/${encodeURIComponent(id)}`;
}
