/** The size of a file, such as `392 bytes`, `12 kB` and `1.4 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return inUnits(bytes, { unit: 'byte', unitDisplay: 'long' });
  if (bytes < 1_000_000) return inUnits(bytes / 1_000, { unit: 'kilobyte', maximumFractionDigits: 0 });
  return inUnits(bytes / 1_000_000, { unit: 'megabyte', maximumFractionDigits: 1 });
}

function inUnits(value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat('en', { style: 'unit', ...options }).format(value);
}
