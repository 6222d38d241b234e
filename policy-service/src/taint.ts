import type { Effect } from '@cloudhal/shared/policy';

/** Ways out: what text from strangers would have an agent do. */
const outward: ReadonlySet<Effect> = new Set<Effect>(['auto-publish', 'publish', 'delete']);

/** A key that has just read text from strangers needs a person for these, in every mode. */
export function needsPersonWhileTainted(tool: string, effect: Effect): boolean {
  return outward.has(effect) || tool === 'fetch_asset_url';
}

/** Until when the key counts as tainted; an earlier, longer taint stands. `undefined`: nothing to store. */
export function taintUntil(present: Date | undefined, minutes: number, now: Date): Date | undefined {
  if (minutes <= 0) return undefined;
  const until = new Date(now.getTime() + minutes * 60_000);
  return present !== undefined && present >= until ? undefined : until;
}
