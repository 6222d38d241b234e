import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedPostgres } from './embedded-postgres.ts';
import { exit, kill, serverOf, startMember, startProcess, testFolders, until } from './testing/processes.ts';

const folders = testFolders();
beforeAll(() => folders.setUp(), 120_000);
afterEach(() => folders.tidy(), 60_000);
afterAll(() => folders.tearDown(), 60_000);

describe('the PostgreSQL of a folder', { timeout: 120_000 }, () => {
  it('is started by the first process and shared with the second', async () => {
    const folder = await folders.made();
    const first = await startMember(folder);
    const server = await serverOf(folder);
    const second = await startMember(folder);
    expect(second.url).toBe(first.url);
    expect(await serverOf(folder)).toBe(server);
    await first.query('create table note (text text)');
    await second.query(`insert into note values ('from the second')`);
    expect(await first.query('select text from note')).toEqual([{ text: 'from the second' }]);
  });

  it('goes on for the others when the process that started it is killed with all its group', async () => {
    const folder = await folders.made();
    const first = await startMember(folder);
    const second = await startMember(folder);
    const server = await serverOf(folder);
    await first.query('create table note (text text)');
    await second.query('select pg_backend_pid()');
    const [before] = await second.query('select pg_backend_pid() as pid');
    await first.kill();
    await second.query(`insert into note values ('still here')`);
    expect(await second.query('select pg_backend_pid() as pid')).toEqual([before]);
    expect(await serverOf(folder)).toBe(server);
  });

  it('stays while one process uses it, stops with the last, and keeps what was written', async () => {
    const folder = await folders.made();
    const first = await startMember(folder);
    const second = await startMember(folder);
    await first.query(`create table note as select 'kept' as text`);
    await first.stop();
    expect(await second.query('select text from note')).toEqual([{ text: 'kept' }]);
    await second.stop();
    expect(await serverOf(folder)).toBeUndefined();
    expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false);
    const third = await startMember(folder);
    expect(await third.query('select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('does not count a process that was killed: the last one that is left stops it', async () => {
    const folder = await folders.made();
    const first = await startMember(folder);
    const second = await startMember(folder);
    await first.kill();
    await second.stop();
    expect(await serverOf(folder)).toBeUndefined();
  });

  it('is adopted by the next start when all who used it were killed', async () => {
    const folder = await folders.made();
    const members = await Promise.all([startMember(folder), startMember(folder)]);
    await members[0].query(`create table note as select 'written before' as text`);
    const server = await serverOf(folder);
    await Promise.all(members.map((member) => member.kill()));
    const next = await startMember(folder);
    expect(await serverOf(folder)).toBe(server);
    expect(await next.query('select text from note')).toEqual([{ text: 'written before' }]);
    await next.stop();
    expect(await serverOf(folder)).toBeUndefined();
  });

  it('leaves no server behind when all stop at the same moment', async () => {
    const folder = await folders.made();
    const uses = await Promise.all([1, 2, 3, 4].map(() => openEmbeddedPostgres(folder)));
    await Promise.all(uses.map((use) => use.stop()));
    expect(await serverOf(folder)).toBeUndefined();
  });

  it('is made and started once when several open a new folder at the same moment', async () => {
    const folder = folders.fresh();
    const members = await Promise.all([1, 2, 3].map(() => startMember(folder)));
    expect(new Set(members.map(({ url }) => url)).size).toBe(1);
    await members[0]!.query('create table note (text text)');
    await Promise.all(members.map((member, i) => member.query(`insert into note values ('${i}')`)));
    expect(await members[1]!.query('select count(*)::int as n from note')).toEqual([{ n: 3 }]);
    expect(await readdir(folder)).toEqual(['postgres', 'postgres.log', 'secrets']);
  });

  it('loses nobody and nothing while processes come and go', async () => {
    const folder = await folders.made();
    const first = await startMember(folder);
    await first.query('create table visit (pid int, round int, primary key (pid, round))');
    await first.stop();
    const visitors = [1, 2, 3].map(() => startProcess('visitor.mjs', folder, '10'));
    expect(await Promise.all(visitors.map(exit))).toEqual([0, 0, 0]);
    expect(await serverOf(folder)).toBeUndefined();
    const last = await startMember(folder);
    expect(await last.query('select count(*)::int as n from visit')).toEqual([{ n: 30 }]);
  });

  it('starts although a lock is left whose number another program has now', async () => {
    const folder = await folders.made();
    const first = await startMember(folder);
    const lock = join(folder, 'postgres', 'postmaster.pid');
    const text = await readFile(lock, 'utf8');
    await first.stop();
    const { uid, gid } = await stat(join(folder, 'postgres'));
    const other = spawn('sleep', ['300'], process.getuid?.() === 0 ? { uid, gid } : {});
    try {
      await writeFile(lock, text.replace(/^\d+/, String(other.pid)));
      const next = await startMember(folder);
      expect(await next.query('select 1 as one')).toEqual([{ one: 1 }]);
      expect(other.exitCode).toBeNull();
    } finally {
      other.kill();
    }
  });

  it('starts although the machine went down with the server running', async () => {
    const folder = await folders.made();
    const first = await startMember(folder);
    await first.query(`create table note as select 'committed' as text`);
    const server = (await serverOf(folder))!;
    await first.kill();
    process.kill(server, 'SIGKILL');
    await until(async () => (await serverOf(folder)) === undefined);
    const next = await startMember(folder);
    expect(await next.query('select text from note')).toEqual([{ text: 'committed' }]);
  });

  it('comes back at the same address when the server itself is killed under those who use it', async () => {
    const folder = await folders.made();
    const members = await Promise.all([startMember(folder), startMember(folder)]);
    await members[0].query(`create table note as select 'committed' as text`);
    const server = (await serverOf(folder))!;
    process.kill(server, 'SIGKILL');
    for (const member of members) {
      await until(() =>
        member.query('select text from note').then(
          () => true,
          () => false,
        ),
      );
    }
    const restarted = await serverOf(folder);
    expect(restarted).not.toBe(server);
    const uses = `select count(*)::int as n from pg_stat_activity where application_name = 'cloudhal-user'`;
    await until(async () => (await members[0].query(uses))[0]?.n === 2);
    await members[0].stop();
    expect(await members[1].query('select text from note')).toEqual([{ text: 'committed' }]);
    await members[1].stop();
    expect(await serverOf(folder)).toBeUndefined();
  });

  it('is made anew when the process that was making it was killed half-way', async () => {
    const folder = folders.fresh();
    const killed = startProcess('member.mjs', folder);
    const halfMade = async () =>
      (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('postgres.new-'));
    await until(async () => {
      const [staging] = await halfMade();
      return staging !== undefined && existsSync(join(folder, staging, 'data', 'base'));
    });
    await kill(killed);
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
    const next = await startMember(folder);
    expect(await next.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await halfMade()).toEqual([]);
  });

  it('lets nobody in without the password, which only the owner can read', async () => {
    const folder = await folders.made();
    const { url } = await startMember(folder);
    const guess = new URL(url);
    guess.password = 'postgres';
    const stranger = new Client({ connectionString: guess.href, connectionTimeoutMillis: 5_000 });
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' });
    expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'secrets', 'postgres-password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'postgres.log'))).mode & 0o777).toBe(0o600);
  });

  it('lets a role in with a password of its own', async () => {
    const folder = await folders.made();
    const postgres = await openEmbeddedPostgres(folder);
    const owner = new Client({ connectionString: postgres.url, connectionTimeoutMillis: 5_000 });
    await owner.connect();
    await owner.query('create role cloudhal_policy');
    const other = await openEmbeddedPostgres(folder);
    await Promise.all([postgres, other].map((use) => use.allowLogin('cloudhal_policy')));
    const role = new Client({ connectionString: postgres.urlFor('cloudhal_policy'), connectionTimeoutMillis: 5_000 });
    await role.connect();
    expect((await role.query('select session_user, current_database()')).rows).toEqual([
      { session_user: 'cloudhal_policy', current_database: 'cloudhal' },
    ]);
    await Promise.all([role.end(), owner.end()]);
    await Promise.all([postgres.stop(), other.stop()]);
  });

  it('refuses data of another PostgreSQL and says how to bring it over', async () => {
    const folder = await folders.made();
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), '17\n');
    await expect(openEmbeddedPostgres(folder)).rejects.toMatchObject({
      code: 'local_store_unavailable',
      message: expect.stringContaining('PostgreSQL 17'),
      body: { next: expect.stringContaining('pg_dump') },
    });
  });

  it('says what is wrong when it cannot start', async () => {
    const folder = await folders.made();
    await writeFile(join(folder, 'postgres', 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(openEmbeddedPostgres(folder)).rejects.toMatchObject({
      code: 'local_store_unavailable',
      message: expect.stringContaining('configuration file'),
    });
  });

  it('does not make a new password for old data', async () => {
    const folder = await folders.made();
    await rm(join(folder, 'secrets'), { recursive: true });
    await expect(openEmbeddedPostgres(folder)).rejects.toMatchObject({ code: 'local_store_unavailable' });
    expect(existsSync(join(folder, 'secrets', 'postgres-password'))).toBe(false);
  });
});
