import { useEffect, useState } from 'react';
import { texts } from '../texts/index.ts';

const full = new Intl.DateTimeFormat(texts.times.locale, { dateStyle: 'full', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(texts.times.locale, { numeric: 'auto' });
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** A moment as people say it, kept up to date; the exact one is in its title. */
export function Time({ at }: { at: string }) {
  const now = useNow(30_000);
  const moment = new Date(at);
  return (
    <time dateTime={at} title={full.format(moment)}>
      {fromNow(moment.getTime() - now)}
    </time>
  );
}

/** The present in milliseconds, read again every so often. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

function fromNow(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  return unit === undefined ? texts.times.now : relative.format(Math.trunc(seconds / size!), unit);
}
