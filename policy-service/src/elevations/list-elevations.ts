import type { Principal } from '@cloudhal/shared/policy';
import type { Room } from '../room.ts';
import { canSee } from './decide-elevation.ts';
import { type Elevation, elevationColumns } from './elevation.ts';

const most = 200;

/** Newest first, as far as the person sees the sites. */
export async function listElevations(
  room: Room,
  person: Principal,
  states: readonly string[] | undefined,
): Promise<Elevation[]> {
  const rows = await room.database.query<Elevation>(
    `SELECT ${elevationColumns} FROM policy.elevation WHERE $1::text[] IS NULL OR state = ANY($1)
     ORDER BY created_at DESC, id DESC LIMIT ${most}`,
    [states ?? null],
  );
  return rows.filter((elevation) => canSee(person, elevation));
}
