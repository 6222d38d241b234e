/**
 * Puts scheduled releases live at their time. Any worker may do it: a lease keeps the others off a release that one of them
 * tries, and what makes it happen once is the release's row, which changes in the transaction of the snapshot.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BusError, type Stop } from '@cloudhal/shared/bus/bus';
import { decideScheduled } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { CloudhalError, type ErrorBody, fail, toErrorBody } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { verifyPermit } from '@cloudhal/shared/permit';
import { budgets } from '@cloudhal/shared/tool';
import { weighed } from '../changes/weighed.ts';
import { SqlView } from '../graph/sql-view.ts';
import { type RunDeps, runTool } from '../run-tool.ts';
import { planRelease } from './plan-release.ts';

type Due = {
  id: string;
  site: string;
  release: string;
  permit: string;
  at: Date;
  arguments: Record<string, unknown>;
  tries: number;
};

const policyMs = 5_000;
/** Longer than one try can take, so that a release that is being tried is left alone; where a worker died, how long it waits. */
const leaseSeconds = 60;
const longestWaitSeconds = 300;

export function startScheduler(run: RunDeps, { everyMs = 1_000 }: { everyMs?: number } = {}): Stop {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        // One after the other: a release may rest on the one before it.
        while (!stopping.signal.aborted && (await fireNext(run)));
      } catch (error) {
        run.log.warn({ err: error }, 'scheduled releases could not be looked for');
      }
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Takes up the release that has been due longest; false where none is. */
export async function fireNext(run: RunDeps): Promise<boolean> {
  const due = await takeDue(run.database);
  if (!due) return false;
  try {
    await fire(run, due);
  } catch (error) {
    await endTry(run, due, error);
  }
  return true;
}

async function takeDue(database: Database): Promise<Due | undefined> {
  const [due] = await database.query<Due>(
    `UPDATE tools.release_run SET next_try_at = clock_timestamp() + $1::float8 * interval '1 second', tries = tries + 1
     WHERE id = (
       SELECT id FROM tools.release_run WHERE state = 'scheduled' AND next_try_at <= clock_timestamp() AND at <= clock_timestamp()
       ORDER BY at, created_at LIMIT 1 FOR UPDATE SKIP LOCKED
     ) RETURNING id, site_id AS site, release_id AS release, permit, at, arguments, tries`,
    [leaseSeconds],
  );
  return due;
}

/** Asks whether what was permitted still holds for what would go live now, and if so does it as whoever scheduled it. */
async function fire(run: RunDeps, { site, release, permit: past, arguments: args }: Due): Promise<void> {
  const callId = uuidv7();
  const now = await whatNow(new SqlView(run.database, site), release);
  const { permit } = await run.bus.request(decideScheduled, { callId, permit: past, ...now }, { timeoutMs: policyMs });
  await run.at?.('permitted', callId);
  const { answerTo } = verifyPermit(permit, run.verifier, run.now());
  const signal = AbortSignal.timeout(budgets.mutation);
  try {
    await runTool(run, 'content', { permit, arguments: args }, { answerTo, budgetMs: budgets.mutation, signal });
  } catch (error) {
    // It was given a moment ago, so it took too long to get here: that is no answer to whether it may run.
    throw error instanceof CloudhalError && error.code === 'permit_invalid' ? fail('policy_unavailable') : error;
  }
}

/** What the release would change: nothing where it is gone. */
async function whatNow(view: SqlView, release: string): Promise<{ diff: string; nodes: number }> {
  const node = await view.find('release', release);
  if (!node) return { diff: 'gone', nodes: 0 };
  const { digest, changes } = await planRelease(view, node);
  return { diff: digest, nodes: weighed(changes).length };
}

/** A no ends the schedule, and is kept with it. What could not be decided, or not be done, is tried again. */
async function endTry(run: RunDeps, due: Due, thrown: unknown): Promise<void> {
  const error = bodyOf(thrown);
  const isFinal =
    thrown instanceof CloudhalError && thrown.status < 500 && !error.retryable && !isHeldBriefly(error, due);
  const waitSeconds = Math.min(5 * 2 ** (due.tries - 1), longestWaitSeconds);
  run.log[isFinal ? 'info' : 'warn'](
    { err: thrown, release: due.release, tries: due.tries },
    isFinal ? 'a scheduled release was refused' : 'a scheduled release is tried again',
  );
  await run.database.query(
    isFinal
      ? `UPDATE tools.release_run SET state = 'refused', error = $2, ended_at = clock_timestamp() WHERE id = $1 AND state = 'scheduled'`
      : `UPDATE tools.release_run SET error = $2, next_try_at = clock_timestamp() + $3::float8 * interval '1 second'
         WHERE id = $1 AND state = 'scheduled'`,
    [due.id, JSON.stringify(error), ...(isFinal ? [] : [waitSeconds])],
  );
}

/** An embargo that ends about when the release is to go live: it is waited for. */
function isHeldBriefly({ code, details }: ErrorBody, { at }: Due): boolean {
  return code === 'embargoed' && Date.parse(String(details?.until)) <= at.getTime() + longestWaitSeconds * 1_000;
}

function bodyOf(thrown: unknown): ErrorBody {
  return thrown instanceof BusError ? fail('policy_unavailable').body : toErrorBody(thrown);
}
