import { describe, expect, it } from 'vitest';
import { isOpen, isValidWindow, opensAt, type PublishingWindow } from './publishing-window.ts';

const workdays = [1, 2, 3, 4, 5];
const office: PublishingWindow = { timeZone: 'Europe/Berlin', days: workdays, from: '09:00', to: '17:00' };
const night: PublishingWindow = { timeZone: 'America/New_York', days: [5], from: '22:00', to: '02:00' };
const whole: PublishingWindow = { timeZone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };

describe('the publishing window', () => {
  it.each<[string, PublishingWindow, string, boolean]>([
    ['opens at its first minute', office, '2026-03-02T08:00:00Z', true],
    ['is closed a minute before', office, '2026-03-02T07:59:59Z', false],
    ['is closed at its end', office, '2026-03-02T16:00:00Z', false],
    ['is open just before its end', office, '2026-03-02T15:59:59Z', true],
    ['is closed on other days', office, '2026-03-01T10:00:00Z', false],
    ['follows summer time: 9:00 in Berlin is 7:00 UTC', office, '2026-03-30T07:00:00Z', true],
    ['and no longer 8:00 UTC the other way round', office, '2026-03-30T15:00:00Z', false],
    ['follows winter time again', office, '2026-10-26T07:30:00Z', false],
    ['crosses midnight', night, '2026-03-07T04:00:00Z', true],
    ['goes on after midnight, on a day that is not named', night, '2026-03-07T06:59:00Z', true],
    ['ends after midnight', night, '2026-03-07T07:00:00Z', false],
    ['does not begin on the day after', night, '2026-03-08T03:00:00Z', false],
    ['is open before it, in the night to its own day', night, '2026-03-06T05:00:00Z', false],
    ['with equal ends is open all day', whole, '2026-03-07T23:59:59Z', true],
  ])('%s', (_, window, at, open) => {
    expect(isOpen(window, new Date(at))).toBe(open);
  });

  it('keeps to local time in the night when the clock goes back', () => {
    const window = { ...night, days: [6], from: '23:00', to: '01:30' };
    // New York, 1 November 2026: 1:00 to 2:00 happens twice.
    expect(isOpen(window, new Date('2026-11-01T05:29:00Z'))).toBe(true);
    expect(isOpen(window, new Date('2026-11-01T05:31:00Z'))).toBe(false);
    expect(isOpen(window, new Date('2026-11-01T06:29:00Z'))).toBe(true);
    expect(isOpen(window, new Date('2026-11-01T07:00:00Z'))).toBe(false);
  });

  it.each<[string, PublishingWindow, string, string | undefined]>([
    ['later the same day', office, '2026-03-02T05:00:00Z', '2026-03-02T08:00:00.000Z'],
    ['after the weekend', office, '2026-03-06T18:00:00Z', '2026-03-09T08:00:00.000Z'],
    ['across the change to summer time', office, '2026-03-27T18:00:00Z', '2026-03-30T07:00:00.000Z'],
    ['a week later', night, '2026-03-07T08:00:00Z', '2026-03-14T02:00:00.000Z'],
    ['never, without days', { ...office, days: [] }, '2026-03-02T05:00:00Z', undefined],
    [
      'at a time that the clock skips',
      { timeZone: 'Europe/Berlin', days: [7], from: '02:30', to: '05:00' },
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
  ])('says when it opens: %s', (_, window, at, opens) => {
    expect(opensAt(window, new Date(at))?.toISOString()).toBe(opens);
  });

  it('opens at the time that it says, at any hour of the year', () => {
    for (let hour = 0; hour < 24 * 365; hour += 5) {
      const at = new Date(Date.UTC(2026, 0, 1, hour));
      for (const window of [office, night]) {
        if (isOpen(window, at)) continue;
        const opens = opensAt(window, at);
        expect(opens).toBeDefined();
        expect(isOpen(window, opens as Date)).toBe(true);
        expect(isOpen(window, new Date((opens as Date).getTime() - 60_000))).toBe(false);
      }
    }
  });

  it('knows a window that cannot be used', () => {
    expect(isValidWindow(office)).toBe(true);
    expect(isValidWindow({ ...office, timeZone: 'Europe/Atlantis' })).toBe(false);
    expect(isValidWindow({ ...office, to: '24:00' })).toBe(false);
    expect(isValidWindow({ ...office, from: '29:59' })).toBe(false);
  });
});
