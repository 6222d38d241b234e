import type { Stop } from '@cloudhal/shared/bus/bus';
import { move } from './approvals/move.ts';
import { resolveCall, settle } from './approvals/settle.ts';
import { endElevation } from './elevations/elevation.ts';
import { forgetOldWords } from './forget-words.ts';
import { ownActor } from './record.ts';
import { revokeKey } from './revoke-key.ts';
import { change, type Room } from './room.ts';

const batch = 100;

/** Does what nobody asked for in time: expires, settles, revokes. Any number of replicas may sweep at once. */
export function startSweeper(room: Room): Stop {
  let running = Promise.resolve();
  let stopped = false;
  let timer: NodeJS.Timeout;

  async function sweep(): Promise<void> {
    for (const task of [
      expireApprovals,
      expireElevations,
      settleUnheard,
      revokeUnheard,
      forgetDecisions,
      forgetWords,
    ]) {
      if (stopped) return;
      await task(room).catch((error: unknown) =>
        room.log.warn({ err: error, task: task.name }, 'a sweep did not finish'),
      );
    }
  }
  const next = () => {
    running = sweep().finally(() => {
      if (!stopped) timer = setTimeout(next, room.settings.sweepEveryMs);
    });
  };
  timer = setTimeout(next, room.settings.sweepEveryMs);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}

async function expireApprovals(room: Room): Promise<void> {
  await change(room, async (tx) => {
    const overdue = await tx.query<{ id: string }>(
      `SELECT id FROM policy.approval WHERE state IN ('pending', 'approved') AND expires_at <= clock_timestamp()
       ORDER BY expires_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
    );
    for (const { id } of overdue) {
      await move(tx, id, { from: ['pending', 'approved'], to: 'expired', actor: ownActor });
    }
  });
}

async function expireElevations(room: Room): Promise<void> {
  await change(room, async (tx) => {
    const overdue = await tx.query<{ id: string }>(
      `SELECT id FROM policy.elevation WHERE state IN ('pending', 'granted') AND ends_at <= clock_timestamp()
       ORDER BY ends_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
    );
    for (const { id } of overdue) {
      await endElevation(tx, id, { from: ['pending', 'granted'], to: 'expired', actor: ownActor });
    }
  });
}

/** Calls whose end nobody heard of. By now none of them can be applied any more, so the answer is final. */
async function settleUnheard(room: Room): Promise<void> {
  const used = await room.database.query<{ id: string; consumedCallId: string }>(
    `SELECT id, consumed_call_id AS "consumedCallId" FROM policy.approval
     WHERE state = 'consumed' AND consumed_at < clock_timestamp() - $1::float8 * interval '1 millisecond'
     ORDER BY consumed_at LIMIT ${batch}`,
    [room.settings.settleAfterMs],
  );
  for (const row of used) {
    await settle(room, row, await resolveCall(room, row.consumedCallId, { abort: true, timeoutMs: 2_000 }));
  }
}

/** Keys that were revoked while nobody here listened. */
async function revokeUnheard(room: Room): Promise<void> {
  let after = '';
  for (;;) {
    const keys = await room.database.query<{ keyId: string }>(
      `SELECT key_id AS "keyId" FROM policy.approval WHERE state IN ('pending', 'approved') AND key_id > $1
       UNION SELECT key_id FROM policy.elevation WHERE state IN ('pending', 'granted') AND key_id > $1
       ORDER BY 1 LIMIT ${batch}`,
      [after],
    );
    for (const { keyId } of keys) {
      if (await room.keys.isRevoked(keyId)) await revokeKey(room, keyId);
    }
    const last = keys.at(-1);
    if (last === undefined || keys.length < batch) return;
    after = last.keyId;
  }
}

async function forgetDecisions(room: Room): Promise<void> {
  await room.database.query(
    `DELETE FROM policy.decision WHERE call_id IN
       (SELECT call_id FROM policy.decision WHERE decided_at < clock_timestamp() - interval '1 day'
        LIMIT 5000 FOR UPDATE SKIP LOCKED)`,
  );
}

async function forgetWords(room: Room): Promise<void> {
  await forgetOldWords(room.database);
  await room.database.query('DELETE FROM policy.taint WHERE until < clock_timestamp()');
}
