import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** All that this process counts, in Prometheus's form. */
export const metrics = new Registry();
collectDefaultMetrics({ register: metrics });

/** A counter of that name; asking again gives the same one. */
export function counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
  return (metrics.getSingleMetric(name) as Counter<L>) ?? new Counter({ name, help, labelNames, registers: [metrics] });
}

export function gauge<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
  return (metrics.getSingleMetric(name) as Gauge<L>) ?? new Gauge({ name, help, labelNames, registers: [metrics] });
}

/** Seconds, from a millisecond to a minute. */
export function histogram<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Histogram<L> {
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60];
  return (
    (metrics.getSingleMetric(name) as Histogram<L>) ??
    new Histogram({ name, help, labelNames, buckets, registers: [metrics] })
  );
}
