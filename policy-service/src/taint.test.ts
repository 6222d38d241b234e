import { describe, expect, it } from 'vitest';
import { taintUntil } from './taint.ts';

const now = new Date('2026-03-02T10:00:00Z');
const in30 = new Date('2026-03-02T10:30:00Z');

describe('how long a key stays tainted', () => {
  it('is as long as the site says, from the last reading', () => {
    expect(taintUntil(undefined, 30, now)).toEqual(in30);
    expect(taintUntil(new Date('2026-03-02T10:10:00Z'), 30, now)).toEqual(in30);
  });

  it('is never shortened by another site', () => {
    expect(taintUntil(in30, 5, now)).toBeUndefined();
  });

  it('is nothing where the site turned it off', () => {
    expect(taintUntil(undefined, 0, now)).toBeUndefined();
  });
});
