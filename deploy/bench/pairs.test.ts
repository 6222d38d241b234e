import { expect, test } from 'vitest';
import { inPairs, quantile, quartiles, ratios } from './pairs.ts';

test.each([
  [0, 1],
  [0.25, 2],
  [0.5, 3],
  [0.9, 4.6],
  [1, 5],
])('the quantile %d of 1 to 5, in any order, is %d', (q, value) => {
  expect(quantile([4, 1, 5, 3, 2], q)).toBeCloseTo(value, 10);
});

test('there is no quantile of nothing', () => {
  expect(() => quantile([], 0.5)).toThrow('nothing');
});

test('numbers are sorted as numbers', () => {
  expect(quartiles([10, 9, 100])).toEqual({ q25: 9.5, median: 10, q75: 55 });
});

test("each slice runs right after its baseline's", async () => {
  const ran: string[] = [];
  const slice = (name: string) => async () => ran.push(name);
  await inPairs(3, slice('baseline'), slice('variant'));
  expect(ran).toEqual(['baseline', 'variant', 'baseline', 'variant', 'baseline', 'variant']);
});

test('a machine that grows slower between pairs does not change the ratio', () => {
  const pairs = [1, 2, 4, 8, 16].map((slowness) => ({ baseline: 10 * slowness, variant: 13 * slowness }));
  const own = (ms: number) => ms;
  expect(ratios(pairs, own, own)).toEqual({ q25: 1.3, median: 1.3, q75: 1.3 });
});
