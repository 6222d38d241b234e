import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { migrate, prepareDatabase } from './migrate.ts';
import { type TestDatabase, testDatabase } from './testing/test-database.ts';

let db: TestDatabase;
let folder: string;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudhal-test-migrations-'));
  await db.database.query('DROP SCHEMA audit CASCADE; CREATE SCHEMA audit');
  await prepareDatabase(db.database);
  return () => rm(folder, { recursive: true });
});
afterAll(() => db.drop());

const put = (name: string, sql: string) => writeFile(join(folder, name), sql);

describe('migrations', () => {
  it('are applied in order, once', async () => {
    await put('0002_more.sql', 'ALTER TABLE audit.a ADD COLUMN m int;');
    await put('0001_first.sql', 'CREATE TABLE audit.a (n int); INSERT INTO audit.a VALUES (1);');
    await put('notes.txt', 'not SQL');
    expect(await migrate(db.database, 'audit', folder)).toEqual(['0001_first.sql', '0002_more.sql']);
    expect(await migrate(db.database, 'audit', folder)).toEqual([]);
    await put('0003_third.sql', 'UPDATE audit.a SET m = 3;');
    expect(await migrate(db.database, 'audit', folder)).toEqual(['0003_third.sql']);
    expect(await db.database.query('SELECT * FROM audit.a')).toEqual([{ n: 1, m: 3 }]);
  });

  it('that fail leave nothing behind and can be applied once corrected', async () => {
    await put('0001_first.sql', 'CREATE TABLE audit.a (n int); SELECT broken;');
    await expect(migrate(db.database, 'audit', folder)).rejects.toThrow(/broken/);
    await put('0001_first.sql', 'CREATE TABLE audit.a (n int);');
    expect(await migrate(db.database, 'audit', folder)).toEqual(['0001_first.sql']);
  });

  it('are refused when a file was changed after it was applied', async () => {
    await put('0001_first.sql', 'CREATE TABLE audit.a (n int);');
    await migrate(db.database, 'audit', folder);
    await put('0001_first.sql', 'CREATE TABLE audit.b (n int);');
    await expect(migrate(db.database, 'audit', folder)).rejects.toThrow('audit/0001_first.sql was changed');
  });

  it('of several processes at once are applied once', async () => {
    await put('0001_first.sql', 'CREATE TABLE audit.a (n int); SELECT pg_sleep(0.1);');
    await put('0002_more.sql', 'INSERT INTO audit.a VALUES (1);');
    const databases = [1, 2, 3, 4].map((n) => openDatabase({ url: db.url, name: `m${n}` }));
    const applied = await Promise.all(databases.map((database) => migrate(database, 'audit', folder)));
    expect(applied.flat().sort()).toEqual(['0001_first.sql', '0002_more.sql']);
    expect(await db.database.query('SELECT n FROM audit.a')).toEqual([{ n: 1 }]);
    await Promise.all(databases.map((database) => database.close()));
  });

  it('may take longer than a statement usually may', async () => {
    await put('0001_slow.sql', 'SELECT pg_sleep(1.5);');
    const impatient = openDatabase({ url: db.url, name: 'impatient', statementTimeoutMs: 500 });
    expect(await migrate(impatient, 'audit', folder)).toEqual(['0001_slow.sql']);
    await impatient.close();
  });
});

describe('the prepared database', () => {
  it('can be prepared again, by several at once', async () => {
    await Promise.all([1, 2, 3].map(() => prepareDatabase(db.database)));
  });

  it("gives a role the use of its own schema and of nobody else's", async () => {
    await db.database.query(`CREATE TABLE audit.own (n int); GRANT SELECT ON audit.own TO cloudhal_audit`);
    const audit = openDatabase({ url: db.urlAs('audit'), name: 'as-audit' });
    const gateway = openDatabase({ url: db.urlAs('gateway'), name: 'as-gateway' });
    expect(await audit.query('SELECT * FROM audit.own')).toEqual([]);
    await expect(gateway.query('SELECT * FROM audit.own')).rejects.toThrow(/permission denied/);
    await expect(audit.query('CREATE TABLE audit.mine (n int)')).rejects.toThrow(/permission denied/);
    await expect(audit.query('INSERT INTO audit.own VALUES (1)')).rejects.toThrow(/permission denied/);
    await expect(gateway.query('CREATE TABLE public.mine (n int)')).rejects.toThrow(/permission denied/);
    await audit.close();
    await gateway.close();
  });
});
