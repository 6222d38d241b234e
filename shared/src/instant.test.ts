import { describe, expect, it } from 'vitest';
import { CloudhalError } from './errors.ts';
import { readInstant } from './instant.ts';

describe('the instant that a person means', () => {
  it.each([
    ['2026-06-01T09:00:00Z', undefined, '2026-06-01T09:00:00.000Z'],
    ['2026-06-01T09:00+02:00', undefined, '2026-06-01T07:00:00.000Z'],
    ['2026-06-01T09:00', 'Europe/Berlin', '2026-06-01T07:00:00.000Z'],
    ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
    ['2026-06-01T09:00', 'Asia/Kathmandu', '2026-06-01T03:15:00.000Z'],
    ['2026-06-01T09:00+02:00', 'Europe/Berlin', '2026-06-01T07:00:00.000Z'],
    ['2026-06-01T09:00:00Z', 'Europe/Berlin', '2026-06-01T09:00:00.000Z'],
    // The hour that clocks show twice, said exactly.
    ['2026-10-25T02:30+02:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T02:30+01:00', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
  ])('%s in %s is %s', (text, zone, instant) => {
    expect(readInstant(text, zone, 'at').toISOString()).toBe(instant);
  });

  it.each([
    ['2026-03-29T02:30', 'Europe/Berlin', /skip it, to 2026-03-29T03:30:00\+02:00/],
    ['2026-10-25T02:30', 'Europe/Berlin', /twice, 2026-10-25T02:30:00\+02:00 and 2026-10-25T02:30:00\+01:00/],
    // A whole day that was skipped.
    ['2011-12-30T12:00', 'Pacific/Apia', /skip it/],
    ['2026-06-01T09:00+01:00', 'Europe/Berlin', /offset that Europe\/Berlin has/],
    ['2026-06-01T09:00', undefined, /offset/],
    ['2026-02-30T09:00', 'UTC', /exist/],
    ['2026-02-30T09:00Z', undefined, /exist/],
    ['2026-06-01', 'UTC', /ISO 8601/],
    ['tomorrow', 'UTC', /ISO 8601/],
    ['2026-06-01T09:00', 'Mars/Olympus', /IANA/],
    ['2026-06-01T09:00', '+02:00', /IANA/],
    ['2026-06-01T09:00', 'Europe/Berlin]', /IANA/],
  ])('%s in %s is refused', (text, zone, why) => {
    const error = (() => {
      try {
        return readInstant(text, zone, 'at');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(CloudhalError);
    expect((error as CloudhalError).body).toMatchObject({
      code: 'validation_failed',
      message: expect.stringMatching(why),
    });
  });
});
