import { move } from './approvals/move.ts';
import { endElevation } from './elevations/elevation.ts';
import { ownActor } from './record.ts';
import { change, type Room } from './room.ts';

/** With a key go what waits for it, what was approved and not used, and its elevations. */
export async function revokeKey(room: Room, keyId: string): Promise<void> {
  try {
    await change(room, async (tx) => {
      const open = await tx.query<{ id: string }>(
        `SELECT id FROM policy.approval WHERE key_id = $1 AND state IN ('pending', 'approved') FOR UPDATE SKIP LOCKED`,
        [keyId],
      );
      for (const { id } of open) {
        await move(tx, id, {
          from: ['pending', 'approved'],
          to: 'revoked',
          actor: ownActor,
          note: 'the key was revoked',
        });
      }
      const elevations = await tx.query<{ id: string }>(
        `SELECT id FROM policy.elevation WHERE key_id = $1 AND state IN ('pending', 'granted') FOR UPDATE SKIP LOCKED`,
        [keyId],
      );
      for (const { id } of elevations) {
        await endElevation(tx, id, { from: ['pending', 'granted'], to: 'revoked', actor: ownActor });
      }
    });
  } catch (error) {
    // The sweeper comes by again, and each use of the key is refused anyway.
    room.log.warn({ err: error, keyId }, 'what a revoked key left open could not be closed');
  }
}
