/** A baseline's slice and the slice that ran right after it. */
export type Pair<B, V = B> = { baseline: B; variant: V };
export type Quartiles = { q25: number; median: number; q75: number };

/** The value below which the share `q` of the values lies, interpolated. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new Error('There is no quantile of nothing.');
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quartiles(values: readonly number[]): Quartiles {
  return { q25: quantile(values, 0.25), median: median(values), q75: quantile(values, 0.75) };
}

/** The ratio variant : baseline within each pair. What was different between pairs, the machine say, drops out. */
export function ratios<B, V>(
  pairs: readonly Pair<B, V>[],
  baseline: (b: B) => number,
  variant: (v: V) => number,
): Quartiles {
  return quartiles(pairs.map((pair) => variant(pair.variant) / baseline(pair.baseline)));
}

/** Runs the slices in turn, the baseline's right before the variant's. */
export async function inPairs<B, V>(
  count: number,
  baseline: () => Promise<B>,
  variant: () => Promise<V>,
): Promise<Pair<B, V>[]> {
  const pairs: Pair<B, V>[] = [];
  for (let i = 0; i < count; i++) pairs.push({ baseline: await baseline(), variant: await variant() });
  return pairs;
}
