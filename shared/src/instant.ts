import { Temporal } from 'temporal-polyfill';
import { fail } from './errors.ts';

const withOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const local = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?$/;

/**
 * The instant that a person means by an ISO 8601 time: with an offset, or as clocks in an IANA time zone show it. Nothing is
 * guessed: a time that these clocks skip or show twice, and an offset that is not theirs, is `validation_failed` for `path`.
 */
export function readInstant(text: string, timeZone: string | undefined, path: string): Date {
  const refuse = (expected: string) => fail('validation_failed', { path, expected });
  if (timeZone !== undefined && !isZone(timeZone)) {
    throw fail('validation_failed', { path: 'timeZone', expected: 'an IANA time zone, such as Europe/Berlin' });
  }
  if (withOffset.test(text)) {
    const instant = parsed(() => Temporal.Instant.from(text));
    if (!instant) throw refuse('a date and time that exist');
    if (timeZone !== undefined && !text.endsWith('Z') && !hasOffset(text, timeZone)) {
      throw refuse(`an offset that ${timeZone} has at that time, or none`);
    }
    return new Date(instant.epochMilliseconds);
  }
  if (!local.test(text)) throw refuse('an ISO 8601 date and time, such as 2026-03-29T09:00:00+02:00');
  if (timeZone === undefined) throw refuse('a time with an offset, such as +02:00 or Z, or a timeZone beside it');
  const wall = parsed(() => Temporal.PlainDateTime.from(text, { overflow: 'reject' }));
  if (!wall) throw refuse('a date and time that exist');
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (earlier.epochMilliseconds === later.epochMilliseconds) return new Date(earlier.epochMilliseconds);
  if (earlier.toPlainDateTime().equals(wall)) {
    throw refuse(
      `one of the two: clocks in ${timeZone} show that time twice, ${withItsOffset(earlier)} and ${withItsOffset(later)}`,
    );
  }
  throw refuse(`a time that exists: clocks in ${timeZone} skip it, to ${withItsOffset(later)}`);
}

function isZone(timeZone: string): boolean {
  // An offset is no place: it does not say when clocks change.
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  return parsed(() => Temporal.PlainDateTime.from('2000-01-01T00:00').toZonedDateTime(timeZone)) !== undefined;
}

function hasOffset(text: string, timeZone: string): boolean {
  return parsed(() => Temporal.ZonedDateTime.from(`${text}[${timeZone}]`, { offset: 'reject' })) !== undefined;
}

function withItsOffset(time: Temporal.ZonedDateTime): string {
  return time.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
