import { expect, it } from 'vitest';
import { weeksOf } from './month-days.ts';

it('shows a month in whole weeks from Monday, with the days before and after it', () => {
  const weeks = weeksOf(2026, 10);
  expect(weeks).toHaveLength(6);
  expect(weeks[0]![0]).toEqual({ date: '2026-10-26', isInMonth: false });
  expect(weeks[0]![6]).toEqual({ date: '2026-11-01', isInMonth: true });
  expect(weeks.at(-1)![0]).toEqual({ date: '2026-11-30', isInMonth: true });
});

it('knows the shortest month there is', () => {
  const weeks = weeksOf(2027, 1);
  expect(weeks).toHaveLength(4);
  expect(weeks.flat().every(({ isInMonth }) => isInMonth)).toBe(true);
});
