import type { Effect } from '@cloudhal/shared/policy';

/** Ways out: what text from strangers would have an agent do. */
const outward: ReadonlySet<Effect> = new Set<Effect>(['auto-publish', 'publish', 'delete']);

/** A key that has just read text from strangers needs a person for these, in every mode. */
export function needsPersonWhileTainted(tool: string, effect: Effect): boolean {
  return outward.has(effect) || tool === 'fetch_asset_url';
}
