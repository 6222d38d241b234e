/** `npm run bench`: what this costs, against the least that it could cost on the same machine at the same time. */
import { parseArgs } from 'node:util';
import { openDatabase } from '@cloudhal/shared/database';
import { startNats } from '../test/servers/nats.ts';
import { startPostgres } from '../test/servers/postgres.ts';
import type { Bench, Rows } from './bench.ts';
import { fillSite, type Graph, openGraph } from './graph.ts';
import { formatTable, type Row, voidRow } from './report.ts';
import { diffOfMany } from './rows/diff-of-many.ts';
import { editOfMany } from './rows/edit-of-many.ts';
import { governedMutation } from './rows/governed-mutation.ts';
import { governedRead } from './rows/governed-read.ts';
import { limits } from './rows/limits.ts';
import { memory } from './rows/memory.ts';
import { memoryOfMany } from './rows/memory-of-many.ts';
import { pool } from './rows/pool.ts';
import { publishOfMany } from './rows/publish-of-many.ts';
import { readsOfMany } from './rows/reads-of-many.ts';
import { recordIngest } from './rows/record-ingest.ts';
import { start } from './rows/start.ts';
import { studio } from './rows/studio.ts';
import { toolsList } from './rows/tools-list.ts';
import { startWorld } from './world.ts';

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
// Memory before what restarts services or makes them read what nobody usually does.
const all: Rows[] = [
  limits,
  governedRead,
  governedMutation,
  toolsList,
  memory,
  memoryOfMany,
  editOfMany,
  readsOfMany,
  diffOfMany,
  publishOfMany,
  recordIngest,
  pool,
  studio,
  start,
];
const chosen = positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name));
const quick = values.quick;

// What was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const rows: Row[] = [];
const stops: (() => Promise<unknown>)[] = [];
try {
  const [nats, postgres] = await Promise.all([startNats(), startPostgres({ fsync: true })]);
  stops.push(
    () => nats.stop(),
    () => postgres.stop(),
  );
  const world = await startWorld(60);
  stops.push(() => world.stop());
  const closing = async (opened: Promise<Graph>) => {
    const graph = await opened;
    stops.push(() => graph.close());
    return graph;
  };
  const few = () => openGraph(world.deployment.postgres.url, 'few', 1_000);
  // In the deployment's own store, so that its services can be measured on it.
  const many = async () => {
    const database = openDatabase({ url: world.deployment.databaseUrl, name: 'bench', statementTimeoutMs: 120_000 });
    return fillSite(database, await world.addSite('many'), quick ? 20_000 : 100_000);
  };
  const bench: Bench = {
    quick,
    timing: quick ? { pairs: 5, ms: 500, warmUp: 500 } : { pairs: 9, ms: 3_000, warmUp: 5_000 },
    world,
    nats,
    postgres,
    few: once(() => closing(few())),
    many: once(() => closing(many())),
  };
  for (const { name, measure } of chosen) {
    console.error(`measuring: ${name}`);
    rows.push(...(await measure(bench).catch((error: unknown) => [voidRow(name, undefined, String(error))])));
  }
} finally {
  for (const stop of stops.reverse()) await stop();
}
console.log(formatTable(rows));
console.log(JSON.stringify(rows));

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
