import type { Queryable, Statement } from '@cloudhal/shared/database';

/** A statement of a change. What must hold is judged within it, by `must`, so that a change is one round trip. */
export type Step = Statement;

/**
 * An expression that fails the statement, and with it the change, where the condition does not hold; `otherwise` says which
 * it was.
 */
export function must(condition: string, otherwise: string): string {
  return `tools.must(${condition}, '${otherwise}')`;
}

/** Which `must` failed, of an error that the store gave. */
export function failedMust(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 'CH001' ? String(message) : undefined;
}

/** Sends steps together within an open transaction. The first that failed is thrown. */
export async function sendSteps(tx: Queryable, steps: readonly Step[]): Promise<void> {
  const sent = steps.map(({ text, values, name }) => tx.query(text, values, name === undefined ? {} : { name }));
  for (const result of await Promise.allSettled(sent)) if (result.status === 'rejected') throw result.reason;
}

// How many versions go into one statement.
const chunk = 5_000;

export function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / chunk) }, (_, i) => items.slice(i * chunk, (i + 1) * chunk));
}
