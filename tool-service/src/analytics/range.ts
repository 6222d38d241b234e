import { fail } from '@cloudhal/shared/errors';

/** Whole days in UTC, both included. */
export type Range = { from: string; to: string; days: number };

const dayMs = 86_400_000;
const mostDays = 400;

/** `28d` is the 28 days up to today; `2026-03-01/2026-03-31` is what it says. */
export function readRange(text: string, now: Date): Range {
  const [, count] = /^([1-9]\d{0,2})d$/.exec(text) ?? [];
  if (count !== undefined) {
    const to = dayOf(now.getTime());
    return checked(dayOf(Date.parse(to) - (Number(count) - 1) * dayMs), to);
  }
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})\/(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (from === undefined || to === undefined || !isDay(from) || !isDay(to)) throw notRange();
  return checked(from, to);
}

/** The same number of days right before. */
export function rangeBefore({ from, days }: Range): Range {
  const start = Date.parse(from);
  return { from: dayOf(start - days * dayMs), to: dayOf(start - dayMs), days };
}

function checked(from: string, to: string): Range {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1 || days > mostDays || from < '1970') throw notRange();
  return { from, to, days };
}

function notRange() {
  const expected = `a number of days such as 28d, or two dates such as 2026-03-01/2026-03-31, at most ${mostDays} days`;
  return fail('validation_failed', { path: 'range', expected });
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && dayOf(time) === text;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
