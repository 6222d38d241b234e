/** One line of progress on stderr that overwrites itself on a terminal; elsewhere every tenth of the way is a line. */
export function progress(label: string, total: number): { step(done: number): void; end(): void } {
  const live = process.stderr.isTTY;
  let shown = -1;
  return {
    step(done) {
      const tenth = total === 0 ? 10 : Math.floor((done / total) * 10);
      if (live) process.stderr.write(`\r${label} ${done}/${total}`);
      else if (tenth !== shown) process.stderr.write(`${label} ${done}/${total}\n`);
      shown = tenth;
    },
    end() {
      if (live) process.stderr.write('\n');
    },
  };
}

/** Columns for people: pads each to its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)), []);
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
