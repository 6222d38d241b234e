import { fail } from '@cloudhal/shared/errors';

/** Bodies that one query may look into, counted once for each condition on them. */
export const mostLooks = 200_000;

/** Refuses a query before it runs, where it would look into too many bodies. */
export function checkCost(candidates: number, conditions: number): void {
  if (candidates * conditions <= mostLooks) return;
  throw fail('limit_exceeded', {
    what: `The cost of this query (nodes × conditions on their members; narrow it by type, locale, parent, status, updatedSince or linksTo),`,
    max: mostLooks,
    candidates,
    conditions,
  });
}
