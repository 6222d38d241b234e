/** A day of a month's calendar; `date` is `YYYY-MM-DD`. */
export type Day = { date: string; isInMonth: boolean };

/** The weeks that a month touches, each from Monday to Sunday. `month` counts from 0. Pure. */
export function weeksOf(year: number, month: number): Day[][] {
  const first = new Date(Date.UTC(year, month, 1));
  const last = new Date(Date.UTC(year, month + 1, 0));
  const sinceMonday = (first.getUTCDay() + 6) % 7;
  const weeks: Day[][] = [];
  for (let at = 1 - sinceMonday; at <= last.getUTCDate(); at += 7) {
    const week = Array.from({ length: 7 }, (_, weekday): Day => {
      const day = new Date(Date.UTC(year, month, at + weekday));
      return { date: day.toISOString().slice(0, 10), isInMonth: day.getUTCMonth() === first.getUTCMonth() };
    });
    weeks.push(week);
  }
  return weeks;
}

/** The local day of an instant. */
export function dayOf(instant: string): string {
  const at = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
