import type { Scope, Scopes } from '@cloudhal/shared/policy';

export type Preset = 'write' | 'publish' | 'moderate' | 'read' | 'all';

const read: readonly Scope[] = ['site:read', 'schema:read', 'content:read', 'media:read', 'activity:read'];
const write: readonly Scope[] = [...read, 'content:write', 'media:write', 'preview', 'checks:run', 'snapshots:read'];

/** What people usually want of a key. None but `all` reads comments and publishes. */
export const presets: Record<Preset, Scopes> = {
  write,
  publish: [...write, 'publish', 'releases:read', 'releases:write', 'snapshots:write'],
  moderate: ['site:read', 'content:read', 'comments:read', 'comments:triage', 'comments:moderate', 'activity:read'],
  read: [...read, 'design:read', 'redirects:read', 'releases:read', 'snapshots:read', 'analytics:read'],
  all: '*',
};

export function isPreset(preset: Preset, chosen: Scopes): boolean {
  const wanted = presets[preset];
  if (wanted === '*' || chosen === '*') return wanted === chosen;
  return wanted.length === chosen.length && wanted.every((scope) => chosen.includes(scope));
}
