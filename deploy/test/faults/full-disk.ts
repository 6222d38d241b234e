import { beforeAll, expect, test } from 'vitest';
import { change, openLedger, type Told } from '../ledger.ts';
import { type Agent, agreeing, type Newsroom } from '../newsroom.ts';
import { restart } from '../restart-servers.ts';
import type { TestServer } from '../servers/server-process.ts';
import type { SmallDisk } from './small-disk.ts';

/** PostgreSQL without room for more. */
export function fullDisk(newsroom: () => Newsroom, disk: () => SmallDisk | undefined): void {
  const ledger = openLedger();
  let agent: Agent;
  let restarted: TestServer | undefined;
  beforeAll(async () => {
    agent = await newsroom().hire({ person: agreeing });
    return () => restarted?.stop();
  });

  let count = 0;
  /** Too long, and too much of a jumble, to find room between what is there. */
  const long = (name: string) => {
    const title = `${name} ${count++}`;
    const body = Array.from({ length: 8_000 }, (_, n) => ((n * 7919 + count) ** 2 % 1_000_003).toString(36)).join(' ');
    return change('create_entry', title, { site: newsroom().site.id, type: 'article', fields: { title }, body });
  };

  /** Resolves to the first change that is refused. */
  async function untilRefused(): Promise<Told> {
    for (let n = 0; n < 100; n++) {
      const told = await ledger.attempt(agent, long('Written onto a full disk'));
      if (told.verdict !== 'applied') return told;
    }
    throw new Error('the disk is not full');
  }

  test('a full disk: changes are refused with a code, and go on once there is room (F-PG-6)', async () => {
    const place = disk();
    if (place) {
      await place.fill();
      const told = await untilRefused();
      expect(['storage_full', 'storage_unavailable']).toContain(told.code);
      expect(told.verdict).toBe('not applied');
      await place.free();
      if (!isAlive(newsroom().deployment.postgres.pid)) restarted = await restart.postgres(newsroom().deployment);
    } else {
      // Where no disk can be mounted, the server says the same of one statement.
      const { database } = newsroom();
      await database.query(`CREATE FUNCTION tools.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
      await database.query(
        'CREATE TRIGGER full_disk BEFORE INSERT ON tools.body FOR EACH ROW EXECUTE FUNCTION tools.full_disk()',
      );
      expect(await untilRefused()).toMatchObject({ verdict: 'not applied', code: 'storage_full' });
      await database.query('DROP FUNCTION tools.full_disk CASCADE');
    }
    expect((await ledger.pursue(agent, long('Written with room again'), 20)).verdict).toBe('applied');
    const titles = await newsroom().database.query<{ title: string }>(
      `SELECT title FROM tools.ver WHERE track = 'draft' AND kind = 'entry'`,
    );
    for (const { title, verdict } of ledger.told) {
      const times = titles.filter((row) => row.title === title).length;
      if (verdict !== 'unknown') expect([title, times]).toEqual([title, verdict === 'applied' ? 1 : 0]);
    }
  }, 60_000);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
