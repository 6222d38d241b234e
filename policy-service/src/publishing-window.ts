import type { SiteRules } from './site-rules.ts';

export type PublishingWindow = NonNullable<SiteRules['publishingWindow']>;

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const minutesOfDay = 24 * 60;
const day = 86_400_000;

/** Whether the window is open at an instant. `to` is exclusive; `to` at or before `from` is on the next day. */
export function isOpen(window: PublishingWindow, at: Date): boolean {
  const { weekday, minutes } = localTime(window.timeZone, at);
  const from = minutesOf(window.from);
  const to = minutesOf(window.to);
  const today = window.days.includes(weekday);
  if (from < to) return today && minutes >= from && minutes < to;
  const yesterday = window.days.includes(weekday === 1 ? 7 : weekday - 1);
  return (today && minutes >= from) || (yesterday && minutes < to);
}

/** When a closed window opens next; `undefined` where it never does. */
export function opensAt(window: PublishingWindow, at: Date): Date | undefined {
  const from = minutesOf(window.from);
  for (let ahead = 0; ahead <= 8; ahead++) {
    const opening = atLocalMinutes(window.timeZone, new Date(at.getTime() + ahead * day), from);
    if (opening > at && isOpen(window, opening)) return opening;
  }
  return undefined;
}

/** Whether the window can be used at all: a time zone that exists, times that a clock can show. */
export function isValidWindow(window: PublishingWindow): boolean {
  try {
    localTime(window.timeZone, new Date(0));
  } catch {
    return false;
  }
  return [window.from, window.to].every((time) => minutesOf(time) < minutesOfDay);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function localTime(timeZone: string, at: Date): { weekday: number; minutes: number } {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    weekday: weekdays.indexOf(parts.get('weekday') ?? '') + 1,
    minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  };
}

/** The instant at which local clocks show these minutes on the local day of `near`; where they skip them, just after. */
function atLocalMinutes(timeZone: string, near: Date, minutes: number): Date {
  const shownAt = (instant: number) => localTime(timeZone, new Date(instant)).minutes;
  const whole = Math.floor(near.getTime() / 60_000) * 60_000;
  const guess = whole + (minutes - shownAt(whole)) * 60_000;
  // The clock may have been changed between the two instants: correct once by what it shows there.
  const off = shownAt(guess) - minutes;
  const shift = off > minutesOfDay / 2 ? off - minutesOfDay : off < -minutesOfDay / 2 ? off + minutesOfDay : off;
  const corrected = guess - shift * 60_000;
  if (shownAt(corrected) === minutes) return new Date(corrected);
  let instant = Math.min(guess, corrected);
  while (shownAt(instant) < minutes) instant += 60_000;
  return new Date(instant);
}
