import { expect, test } from 'vitest';
import { formatTable, measuredRow, plainRow, voidRow } from './report.ts';

const spread = (median: number) => ({ q25: median - 0.1, median, q75: median + 0.1 });
const measured = { metric: 'a read', unit: 'ms', value: 33.333333, baseline: 30, others: 0.5 };

test.each([
  [1.0, { atMost: 1 }, '≤ 1', true],
  [1.01, { atMost: 1 }, '≤ 1', false],
  [15, { atLeast: 15 }, '≥ 15', true],
  [14.9, { atLeast: 15 }, '≥ 15', false],
])('a ratio of %d against %j is shown as %s and passes: %s', (ratio, target, text, pass) => {
  expect(measuredRow({ ...measured, ratio: spread(ratio), target })).toMatchObject({ target: text, pass });
});

test('a row without a target only informs', () => {
  expect(measuredRow({ ...measured, ratio: spread(2) })).toMatchObject({ target: null, pass: null });
});

test('numbers have four significant digits', () => {
  expect(measuredRow({ ...measured, ratio: spread(1.23456) })).toMatchObject({
    value: 33.33,
    ratio: 1.235,
    q25: 1.135,
  });
});

test('a number against a limit names the unit of both', () => {
  expect(plainRow('memory', 'MB', 91, { limit: { atMost: 90 } })).toMatchObject({
    value: 91,
    target: '≤ 90 MB',
    pass: false,
  });
});

test('a voided row has no numbers, does not pass, and says why', () => {
  expect(voidRow('a read', { atMost: 1 }, 'a wrong answer')).toMatchObject({
    value: null,
    ratio: null,
    pass: false,
    note: 'a wrong answer',
  });
});

test('the table lines up its columns and ends with the notes', () => {
  const rows = [
    measuredRow({ ...measured, ratio: spread(0.9), target: { atMost: 1 } }),
    voidRow('a much longer name', undefined, 'a wrong answer'),
  ];
  expect(formatTable(rows).split('\n')).toEqual([
    'metric              unit  value  baseline  ratio  q25–q75  target  pass  others',
    'a read              ms    33.33  30        0.9    0.8–1    ≤ 1     yes   50 %',
    'a much longer name        –      –         –      –        –       –     –',
    '',
    'a much longer name: a wrong answer',
  ]);
});
