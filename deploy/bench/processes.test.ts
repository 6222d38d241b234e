import { cpus } from 'node:os';
import { expect, test } from 'vitest';
import { cpuBetween, othersShare } from './processes.ts';

test('a process that began in between counts from its start, one that ended counts no more', () => {
  const before = new Map([
    [1, 5],
    [2, 7],
  ]);
  const after = new Map([
    [1, 6.5],
    [3, 0.25],
  ]);
  expect(cpuBetween(before, after)).toBe(1.75);
});

test('what others used of the machine is what was busy and not our own', () => {
  const seconds = 10;
  const all = seconds * cpus().length;
  expect(othersShare(all, all / 4, seconds)).toBe(0.75);
  expect(othersShare(all / 4, all / 2, seconds)).toBe(0);
});
