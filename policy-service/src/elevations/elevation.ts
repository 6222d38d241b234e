import { type AuditEvent, deploymentChain } from '@cloudhal/shared/audit-event';
import type { ElevationView } from '@cloudhal/shared/contracts';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import { type Mode, modes, type Principal } from '@cloudhal/shared/policy';
import type { Static } from 'typebox';
import { effectiveMode } from '../effective-mode.ts';
import { serviceName } from '../record.ts';
import type { Tx } from '../room.ts';

/** pending → granted | refused | withdrawn | expired | revoked; granted → ended | expired | revoked. */
export const elevationStates = ['pending', 'granted', 'refused', 'ended', 'expired', 'withdrawn', 'revoked'] as const;
export type ElevationState = (typeof elevationStates)[number];

export type Elevation = {
  id: string;
  principal: Principal;
  keyId: string | null;
  /** `null`: all sites of the principal. */
  site: string | null;
  /** `null`: all tools. */
  tools: string[] | null;
  /** As asked for; as granted, once it is. */
  mode: Mode;
  minutes: number;
  reason: string;
  state: ElevationState;
  createdAt: Date;
  endsAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
};

export const elevationColumns = `id, principal, key_id AS "keyId", site, tools, mode, minutes, reason, state,
  created_at AS "createdAt", ends_at AS "endsAt", decided_by AS "decidedBy",
  decided_at AS "decidedAt"`;

/** In SQL, whether it still lifts a key of this mode: setting the key lower than it was then takes the elevation, too. */
export function stillLifts(mode: string): string {
  const order = `ARRAY['${modes.join("', '")}']`;
  return `array_position(${order}, ${mode}::text) >= array_position(${order}, principal->>'mode')`;
}

export type End = {
  from: readonly ElevationState[];
  to: Exclude<ElevationState, 'pending' | 'granted'>;
  actor: AuditEvent['actor'];
  by?: string;
  callId?: string;
};

/** Ends an elevation or a request for one: compare-and-set, with its line of the record. */
export async function endElevation(tx: Tx, id: string, end: End): Promise<Elevation | undefined> {
  const [elevation] = await tx.query<Elevation>(
    `UPDATE policy.elevation SET state = $3, decided_by = coalesce($4, decided_by),
       decided_at = CASE WHEN $4::text IS NULL THEN decided_at ELSE clock_timestamp() END,
       ends_at = CASE WHEN state = 'granted' THEN least(ends_at, clock_timestamp()) ELSE ends_at END
     WHERE id = $1 AND state = ANY($2::text[]) RETURNING ${elevationColumns}`,
    [id, end.from, end.to, end.by ?? null],
  );
  if (elevation) await recordElevation(tx, elevation, end.to, end.actor, end.callId);
  return elevation;
}

/** The line of the record for a step that was just made, and its news for whoever watches. */
export async function recordElevation(
  tx: Tx,
  elevation: Elevation,
  what: string,
  actor: AuditEvent['actor'],
  callId?: string,
): Promise<void> {
  tx.elevated.push({ id: elevation.id, state: elevation.state });
  await putInOutbox(tx, 'policy', elevationEvent(elevation, what, actor, callId));
}

function elevationEvent(elevation: Elevation, what: string, actor: AuditEvent['actor'], callId?: string): AuditEvent {
  const { id, principal, mode, minutes, reason, tools, endsAt } = elevation;
  return auditEvent(serviceName, {
    type: `elevation.${what}`,
    ...(callId !== undefined && { call_id: callId }),
    site: elevation.site ?? deploymentChain,
    actor,
    mode,
    note: reason,
    details: { id, principal: principal.id, minutes, tools, ends_at: endsAt.toISOString() },
  });
}

export function viewOfElevation(elevation: Elevation): Static<typeof ElevationView> {
  const { id, principal, site, tools, state, mode, minutes, reason, createdAt, endsAt, decidedBy } = elevation;
  return {
    id,
    principal: {
      id: principal.id,
      name: principal.name,
      ...(principal.owner && { owner: principal.owner }),
      mode: effectiveMode(principal, undefined, false),
    },
    ...(site !== null && { site }),
    state,
    ...(tools !== null && { tools }),
    mode,
    minutes,
    reason,
    createdAt: createdAt.toISOString(),
    ...(state === 'pending' ? {} : { endsAt: endsAt.toISOString() }),
    ...(decidedBy !== null && { decidedBy }),
  };
}
