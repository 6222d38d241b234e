import type { KeyObject } from 'node:crypto';
import type { Stop } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';
import { readCheckpoint } from './checkpoint.ts';
import { appendNotes } from './checkpoint-files.ts';
import { signSegment } from './sign-segment.ts';

export type CheckpointerDeps = {
  database: Database;
  log: Log;
  /** Ed25519, private. */
  key: KeyObject;
  /** For the checkpoint files. It testifies against the database only where the database's owner cannot write. */
  folder?: string;
  /** A chain gets a checkpoint after so many events, or when the last one is so old. Defaults: 1,000, 60 s. */
  everyEvents?: number;
  everyMs?: number;
  /** How often the chains are looked at. */
  tickMs?: number;
};

type Chain = { part: string; head: number; signed: number; due: boolean };

/** Signs checkpoints while the chains grow, whichever process comes first, and once more when it is stopped. */
export function startCheckpointer(deps: CheckpointerDeps): Stop {
  const { log, tickMs = 5_000 } = deps;
  /** The last checkpoint of each chain in the files of this process; those that others signed are copied here, too. */
  const written = new Map<string, number>();
  let running = Promise.resolve();

  const round = (all: boolean) => {
    running = running
      .then(() => checkpointChains(deps, written, all))
      .catch((error) => log.error({ err: error }, 'checkpoints could not be made'));
    return running;
  };
  const timer = setInterval(() => void round(false), tickMs).unref();
  return async () => {
    clearInterval(timer);
    await round(true);
  };
}

async function checkpointChains(deps: CheckpointerDeps, written: Map<string, number>, all: boolean): Promise<void> {
  for (const chain of await listChains(deps)) {
    let { signed } = chain;
    if (chain.due || all) signed = await signUpTo(deps, chain);
    if (deps.folder !== undefined && signed !== written.get(chain.part)) {
      written.set(chain.part, await copyToFile(deps, deps.folder, chain.part));
    }
  }
}

async function listChains({ database, everyEvents = 1_000, everyMs = 60_000 }: CheckpointerDeps): Promise<Chain[]> {
  return database.query<Chain>(
    `SELECT h.part, h.seq AS head, coalesce(c.seq, 0)::bigint AS signed,
       h.seq - coalesce(c.seq, 0) >= $1
         OR h.seq > coalesce(c.seq, 0) AND coalesce(c.at, '-infinity') <= now() - $2 * interval '1 millisecond' AS due
     FROM audit.head h LEFT JOIN LATERAL
       (SELECT seq, at FROM audit.checkpoint WHERE part = h.part ORDER BY seq DESC LIMIT 1) c ON true`,
    [everyEvents, everyMs],
  );
}

async function signUpTo({ database, log, key }: CheckpointerDeps, chain: Chain): Promise<number> {
  let { signed } = chain;
  while (signed < chain.head) {
    const made = await database.transaction((tx) => signSegment(tx, chain.part, chain.head, key));
    if (made === undefined) break;
    if ('problem' in made) {
      log.error({ chain: chain.part, problem: made.problem }, 'the record does not add up; no checkpoint is signed');
      break;
    }
    log.info({ checkpoint: made.note }, 'checkpoint');
    signed = made.seq;
  }
  return signed;
}

/** Brings a chain's file up to the stored checkpoints; answers with the last one in it. */
async function copyToFile({ database, log }: CheckpointerDeps, folder: string, chain: string): Promise<number> {
  return database.transaction(async (tx) => {
    // Processes on one machine may share the folder.
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('audit.files ' || $1, 0))", [chain]);
    let end = 0;
    await appendNotes(folder, chain, async (last) => {
      end = last === undefined ? 0 : (readCheckpoint(last)?.seq ?? 0);
      const rows = await tx.query(
        'SELECT seq, note FROM audit.checkpoint WHERE part = $1 AND seq >= $2 ORDER BY seq LIMIT 5000',
        [chain, end],
      );
      if (last !== undefined && rows[0]?.note !== last) {
        log.error(
          { chain, seq: end },
          'the last checkpoint in the file is not in the record: was the database set back?',
        );
      }
      const newer = rows.filter((row) => row.seq > end);
      end = newer.at(-1)?.seq ?? end;
      return newer.map((row) => row.note);
    });
    return end;
  });
}
