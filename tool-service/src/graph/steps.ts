/** A statement that was sent, and what its rows must say. Steps are judged in the order they were sent. */
export type Step<R extends object = object> = { rows: Promise<R[]>; check?(rows: R[]): void | Promise<void> };

/** Waits for statements that travel together; the first that failed, or whose rows are not as they must be, is thrown. */
export async function inOrder(steps: readonly Step[]): Promise<void> {
  const settled = await Promise.allSettled(steps.map((step) => step.rows));
  for (const [index, result] of settled.entries()) {
    if (result.status === 'rejected') throw result.reason;
    await steps[index]!.check?.(result.value);
  }
}

// How many versions go into one statement.
const chunk = 5_000;

export function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / chunk) }, (_, i) => items.slice(i * chunk, (i + 1) * chunk));
}
