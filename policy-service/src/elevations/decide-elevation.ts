import type { decideElevation as decideElevationMessage } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { type Mode, modeAtMost, modes, type Principal } from '@cloudhal/shared/policy';
import { isOwnRequest } from '../approvals/trust.ts';
import { effectiveMode, elevationLimit } from '../effective-mode.ts';
import { actorOf } from '../record.ts';
import { change, type Room, type Tx } from '../room.ts';
import { type Elevation, elevationColumns, endElevation, recordElevation } from './elevation.ts';

type Query = Omit<NonNullable<(typeof decideElevationMessage)['types']>['query'], 'principal'>;

/** A person grants a request (as asked for, lower or shorter), refuses it, or ends what was granted. */
export async function decideElevation(room: Room, person: Principal, query: Query): Promise<Elevation> {
  const { id, decision, mode, minutes } = query;
  mustBeGranter(person);
  return await change(room, async (tx) => {
    const [elevation] = await tx.query<Elevation>(
      `SELECT ${elevationColumns} FROM policy.elevation WHERE id = $1 FOR UPDATE`,
      [id],
    );
    if (elevation === undefined || !canSee(person, elevation)) throw fail('not_found', { what: 'elevation', id });
    const actor = actorOf(person);
    const decided =
      decision === 'grant'
        ? await grant(tx, room, person, elevation, { mode, minutes })
        : await endElevation(tx, id, {
            from: decision === 'refuse' ? ['pending'] : ['granted'],
            to: decision === 'refuse' ? 'refused' : 'ended',
            actor,
            by: person.id,
          });
    if (decided === undefined) throw decidedBefore(elevation);
    return decided;
  });
}

async function grant(
  tx: Tx,
  room: Room,
  person: Principal,
  asked: Elevation,
  wish: { mode: string | undefined; minutes: number | undefined },
): Promise<Elevation | undefined> {
  if (asked.state !== 'pending') return undefined;
  const mode = (wish.mode ?? asked.mode) as Mode;
  if (!modes.includes(mode) || modes.indexOf(mode) > modes.indexOf(asked.mode)) {
    throw fail('validation_failed', { path: 'mode', expected: `at most ${asked.mode}, which was asked for` });
  }
  const own = effectiveMode(asked.principal, undefined, false);
  if (modes.indexOf(mode) <= modes.indexOf(own)) {
    throw fail('validation_failed', { path: 'mode', expected: `a mode above ${own}, in which it works already` });
  }
  const minutes = wish.minutes ?? asked.minutes;
  if (minutes > asked.minutes) {
    throw fail('validation_failed', { path: 'minutes', expected: `at most ${asked.minutes}, which were asked for` });
  }
  if (asked.keyId !== null && (await room.keys.isRevoked(asked.keyId))) throw fail('approval_revoked');
  if (isOwnRequest(person, asked.principal) && (await needsFourEyes(tx, asked))) {
    throw fail('forbidden', { needs: 'another person than the one whose agent asks' });
  }
  const [granted] = await tx.query<Elevation>(
    `UPDATE policy.elevation SET state = 'granted', mode = $2, minutes = $3::integer, decided_by = $4,
       decided_at = clock_timestamp(), ends_at = clock_timestamp() + $3::integer * interval '1 minute'
     WHERE id = $1 AND state = 'pending' AND ends_at > clock_timestamp() RETURNING ${elevationColumns}`,
    [asked.id, modeAtMost(mode, elevationLimit(asked.principal)), minutes, person.id],
  );
  if (granted) await recordElevation(tx, granted, 'granted', actorOf(person));
  return granted;
}

/** On its site, or on any that it would reach. */
async function needsFourEyes(tx: Tx, { site, principal }: Elevation): Promise<boolean> {
  const reach = site !== null ? [site] : principal.sites === '*' ? null : [...principal.sites];
  const rows = await tx.query(
    `SELECT 1 FROM policy.site_rules WHERE rules->>'fourEyes' = 'true' AND ($1::text[] IS NULL OR site = ANY($1)) LIMIT 1`,
    [reach],
  );
  return rows.length > 0;
}

function mustBeGranter({ kind, role }: Principal): void {
  if (kind === 'local' || (kind === 'person' && (role === 'owner' || role === 'editor'))) return;
  throw fail('forbidden', { needs: 'an owner or an editor' });
}

/** An elevation for all sites of a key is for those to see who see them all. */
export function canSee({ sites }: Pick<Principal, 'sites'>, { site, principal }: Elevation): boolean {
  if (sites === '*') return true;
  if (site !== null) return sites.includes(site);
  return principal.sites !== '*' && principal.sites.every((reached) => sites.includes(reached));
}

function decidedBefore({ state, decidedBy, decidedAt, endsAt }: Elevation) {
  const shown = state === 'pending' ? 'expired' : state;
  return fail('approval_decided', { state: shown, by: decidedBy ?? 'time', at: (decidedAt ?? endsAt).toISOString() });
}
