import { fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import { type Mode, modeAtMost, modes, type Principal } from '@cloudhal/shared/policy';
import { effectiveMode, elevationLimit } from '../effective-mode.ts';
import { actorOf } from '../record.ts';
import { change, type Room } from '../room.ts';
import { type Elevation, elevationColumns, recordElevation } from './elevation.ts';

export type Wish = { mode: Mode; minutes: number; reason: string; site?: string; tools?: string[] };

const maxMinutes = 24 * 60;
const pendingMs = 24 * 3_600_000;

/**
 * Asks a person for a more autonomous mode. One request of a key waits at a time: a second one is answered with the first.
 * The same call id is the same request.
 */
export async function requestElevation(
  room: Room,
  principal: Principal,
  callId: string,
  wish: Wish,
): Promise<{ elevation: Elevation; isNew: boolean }> {
  checkWish(principal, wish);
  return await change(room, async (tx) => {
    const [inserted] = await tx.query<Elevation>(
      `INSERT INTO policy.elevation (id, call_id, principal_id, principal, key_id, site, tools, mode, minutes, reason,
         state, ends_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending',
         clock_timestamp() + $11::float8 * interval '1 millisecond')
       ON CONFLICT DO NOTHING RETURNING ${elevationColumns}`,
      [
        newId('elv'),
        callId,
        principal.id,
        JSON.stringify(principal),
        principal.keyId ?? null,
        wish.site ?? null,
        wish.tools ?? null,
        wish.mode,
        wish.minutes,
        wish.reason,
        pendingMs,
      ],
    );
    if (inserted) {
      await recordElevation(tx, inserted, 'requested', actorOf(principal), callId);
      return { elevation: inserted, isNew: true };
    }
    const [before] = await tx.query<Elevation>(
      `SELECT ${elevationColumns} FROM policy.elevation
       WHERE principal_id = $2 AND (call_id = $1 OR state = 'pending') ORDER BY call_id = $1 DESC LIMIT 1`,
      [callId, principal.id],
    );
    // It was decided between the two statements.
    if (before === undefined) throw fail('policy_unavailable');
    return { elevation: before, isNew: false };
  });
}

function checkWish(principal: Principal, { mode, minutes, reason }: Wish): void {
  if (principal.kind === 'person') throw fail('forbidden', { needs: 'an agent; people have no mode' });
  const present = effectiveMode(principal, undefined, false);
  if (!modes.includes(mode) || modes.indexOf(mode) <= modes.indexOf(present)) {
    throw fail('validation_failed', { path: 'mode', expected: `a mode above your own, which is ${present}` });
  }
  const limit = elevationLimit(principal);
  if (modes.indexOf(modeAtMost(mode, limit)) <= modes.indexOf(present)) {
    throw fail('validation_failed', { path: 'mode', expected: `nothing above ${limit} can be granted to you` });
  }
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > maxMinutes) {
    throw fail('validation_failed', { path: 'minutes', expected: `between 1 and ${maxMinutes}` });
  }
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw fail('validation_failed', { path: 'reason', expected: 'why you need it' });
  }
}
