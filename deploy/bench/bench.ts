import type { TestServer } from '../test/servers/server-process.ts';
import type { Graph } from './graph.ts';
import type { Timing } from './harness.ts';
import type { Row } from './report.ts';
import type { World } from './world.ts';

/** What the rows are measured on. */
export type Bench = {
  /** Shorter slices and smaller graphs: to see that all of it runs, not to judge by. */
  quick: boolean;
  timing: Timing;
  world: World;
  /** Servers of the baselines' own, and for what is measured without services. */
  nats: TestServer;
  postgres: TestServer;
  /** Made when they are first asked for. */
  few(): Promise<Graph>;
  many(): Promise<Graph>;
};

export type Rows = { name: string; measure(bench: Bench): Promise<Row[]> };
