import type { Quartiles } from './pairs.ts';

/** What a ratio is held against. */
export type Target = { atMost: number } | { atLeast: number };

export type Row = {
  metric: string;
  /** Of `value` and `baseline`: ms, µs CPU, calls/s, MB … */
  unit: string;
  /** Medians of their slices; null where the row was voided. */
  value: number | null;
  baseline: number | null;
  /** The median of the pairs' ratios, and their quartiles. */
  ratio: number | null;
  q25: number | null;
  q75: number | null;
  /** `≤ 1.3`; null where the row only informs. */
  target: string | null;
  pass: boolean | null;
  /** The share of the machine that other processes used meanwhile, from 0 to 1; null where it is not known. */
  others: number | null;
  note?: string;
};

export type Measured = {
  metric: string;
  unit: string;
  value: number;
  baseline: number;
  ratio: Quartiles;
  target?: Target;
  others?: number | undefined;
  note?: string;
};

export function measuredRow({ metric, unit, value, baseline, ratio, target, others, note }: Measured): Row {
  return {
    metric,
    unit,
    value: round(value),
    baseline: round(baseline),
    ratio: round(ratio.median),
    q25: round(ratio.q25),
    q75: round(ratio.q75),
    target: target ? targetText(target) : null,
    pass: target ? meets(ratio.median, target) : null,
    others: others === undefined ? null : round(others),
    ...(note !== undefined && { note }),
  };
}

/** A row of one number, by itself or against a limit of its own unit. */
export function plainRow(
  metric: string,
  unit: string,
  value: number,
  { limit, others, note }: { limit?: Target; others?: number; note?: string } = {},
): Row {
  return {
    metric,
    unit,
    value: round(value),
    baseline: null,
    ratio: null,
    q25: null,
    q75: null,
    target: limit ? `${targetText(limit)} ${unit}` : null,
    pass: limit ? meets(value, limit) : null,
    others: others === undefined ? null : round(others),
    ...(note !== undefined && { note }),
  };
}

/** A row that says why it has no numbers. It does not pass. */
export function voidRow(metric: string, target: Target | undefined, why: string): Row {
  return {
    metric,
    unit: '',
    value: null,
    baseline: null,
    ratio: null,
    q25: null,
    q75: null,
    target: target ? targetText(target) : null,
    pass: target ? false : null,
    others: null,
    note: why,
  };
}

function meets(ratio: number, target: Target): boolean {
  return 'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast;
}

function targetText(target: Target): string {
  return 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
}

/** Four significant digits say all that a measurement knows. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}

const columns = ['metric', 'unit', 'value', 'baseline', 'ratio', 'q25–q75', 'target', 'pass', 'others'] as const;

/** The rows for people; notes follow, numbered by row. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.metric,
    row.unit,
    shown(row.value),
    shown(row.baseline),
    shown(row.ratio),
    row.q25 === null ? '–' : `${row.q25}–${row.q75}`,
    row.target ?? '–',
    row.pass === null ? '–' : row.pass ? 'yes' : 'NO',
    row.others === null ? '–' : `${Math.round(row.others * 100)} %`,
  ]);
  const lines = [[...columns], ...cells];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const table = lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
  const notes = rows.flatMap(({ metric, note }) => (note === undefined ? [] : [`${metric}: ${note}`]));
  return [...table, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

function shown(value: number | null): string {
  return value === null ? '–' : String(value);
}
