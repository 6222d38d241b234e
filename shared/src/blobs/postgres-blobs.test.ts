import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { houseFile } from '../house-file.ts';
import { migrate } from '../migrate.ts';
import { type TestDatabase, testDatabase } from '../testing/test-database.ts';
import { blobKey, pieces, sha256Of, uploadKey } from './blob-store.ts';
import { describeBlobs } from './blob-store-contract.ts';
import { createPostgresBlobs, sweepChunks } from './postgres-blobs.ts';

async function mediaDatabase(): Promise<TestDatabase> {
  const made = await testDatabase();
  await migrate(made.database, 'tools', houseFile('tool-service/migrations'));
  return made;
}

describeBlobs('PostgreSQL', async () => {
  const { database, drop } = await mediaDatabase();
  return { one: createPostgresBlobs(database), two: createPostgresBlobs(database), end: drop };
});

let made: TestDatabase;
let gateway: Database;
beforeAll(async () => {
  made = await mediaDatabase();
  gateway = openDatabase({ url: made.urlAs('gateway'), name: 'test' });
});
afterAll(async () => {
  await gateway.close();
  await made.drop();
});

it('lets the gateway store uploads and read, and change or plant nothing', async () => {
  const [tools, edge] = [createPostgresBlobs(made.database), createPostgresBlobs(gateway)];
  const content = Buffer.alloc(300_000, 1);
  const expected = { bytes: content.length, sha256: sha256Of(content) };
  await edge.write(uploadKey('up_1'), pieces(content), expected);
  expect(await tools.has(uploadKey('up_1'))).toBe(true);
  await tools.write(blobKey(expected.sha256), pieces(content), expected);
  expect(await edge.has(blobKey(expected.sha256))).toBe(true);

  const planted = Buffer.alloc(10, 2);
  await expect(
    edge.write(blobKey(sha256Of(planted)), pieces(planted), { bytes: 10, sha256: sha256Of(planted) }),
  ).rejects.toThrow(/row-level security/);
  for (const statement of [
    'DELETE FROM media.object',
    'DELETE FROM media.chunk',
    `UPDATE media.chunk SET data = ''`,
    `UPDATE media.upload SET bytes = 1`,
    `INSERT INTO media.upload (id) VALUES ('up_2')`,
  ])
    await expect(gateway.query(statement), statement).rejects.toThrow(/permission denied/);
});

it('clears what nobody finished, and nothing else', async () => {
  const blobs = createPostgresBlobs(made.database);
  const content = Buffer.alloc(10, 3);
  const expected = { bytes: 10, sha256: sha256Of(content) };
  await blobs.write(blobKey(expected.sha256), pieces(content), expected);
  await blobs.write('uploads/broken', pieces(content), { ...expected, sha256: '0' }).catch(() => undefined);
  await made.database.query(
    `INSERT INTO media.chunk (content, n, data) VALUES ('00000000-0000-4000-8000-000000000000', 0, '')`,
  );
  const count = async () => (await made.database.query('SELECT count(*) AS n FROM media.chunk'))[0]!.n;
  const before = await count();
  await sweepChunks(made.database);
  expect(await count()).toBe(before);
  await sweepChunks(made.database, 0);
  const [kept] = await made.database.query('SELECT sum(chunks)::integer AS n FROM media.object');
  expect([await count(), before > kept!.n]).toEqual([kept!.n, true]);
  expect(await blobs.has(blobKey(expected.sha256))).toBe(true);
});
