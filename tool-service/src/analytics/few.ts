/** Less than this is said of nobody: a row of it could be one person. */
export const fewest = 5;

/**
 * Rows that may be shown, and their sum. What is left out counts in the sum only where it could itself be shown, or the
 * difference would give it away.
 */
export function withoutFew<R extends { value: number }>(rows: readonly R[]): { rows: R[]; total: number } {
  const shown = rows.filter(({ value }) => value >= fewest);
  const sum = (of: readonly R[]) => of.reduce((total, { value }) => total + value, 0);
  const rest = sum(rows) - sum(shown);
  return { rows: shown, total: sum(shown) + (rest >= fewest ? rest : 0) };
}

/** How much more or less than before, in per cent; null where one of them may not be shown. */
export function changeOf(now: number, before: number): number | null {
  return now < fewest || before < fewest ? null : Math.round(((now - before) / before) * 100);
}
