import { verifyRecord } from '@cloudhal/audit-service/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenStore } from './faults/broken-store.ts';
import { wrongClocks } from './faults/clocks.ts';
import { cutOff } from './faults/cut-off.ts';
import { fullDisk } from './faults/full-disk.ts';
import { mountSmallDisk, type SmallDisk } from './faults/small-disk.ts';
import { type Newsroom, openNewsroom } from './newsroom.ts';
import { aMinuteLater, everyCallHasEnded, graphIsConsistent, recordIsComplete } from './record.ts';

let newsroom: Newsroom;
let disk: SmallDisk | undefined;
beforeAll(async () => {
  disk = await mountSmallDisk(256);
  newsroom = await openNewsroom({ replicas: { gateway: 2, tools: 2 }, postgresFolder: disk?.folder });
}, 120_000);
afterAll(async () => {
  await newsroom?.stop();
  await disk?.remove();
}, 60_000);

describe('clocks', () => wrongClocks(() => newsroom));
describe('the bus', () => cutOff(() => newsroom));
describe('the store', () => brokenStore(() => newsroom));
describe('the disk', () =>
  fullDisk(
    () => newsroom,
    () => disk,
  ));

test('afterwards the graph is whole, and the record complete and true', async () => {
  await everyCallHasEnded(newsroom.database);
  await graphIsConsistent(newsroom.database);
  await aMinuteLater(newsroom.database);
  await recordIsComplete(newsroom.database, 150_000);
  expect(await verifyRecord(newsroom.database)).toMatchObject({ ok: true });
}, 200_000);
