import type { Queryable } from '@cloudhal/shared/database';
import type { ErrorBody } from '@cloudhal/shared/errors';
import { type Mode, modes, type Principal } from '@cloudhal/shared/policy';
import { stillLifts } from './elevations/elevation.ts';
import { defaultSiteRules, type SiteRules } from './site-rules.ts';
import { taintName } from './taint-store.ts';

export type ActiveElevation = { id: string; mode: Mode; endsAt: Date };

/** What the store says about a call, by its own clock. */
export type Standing = {
  now: Date;
  rules: SiteRules;
  elevation?: ActiveElevation;
  /** The key has just read text from strangers. */
  tainted: boolean;
  /** This very call was refused before. */
  refused?: ErrorBody;
  /** An approval of the same call that is open. */
  waiting?: string;
};

type Query = {
  callId: string;
  principal: Pick<Principal, 'id' | 'kind' | 'keyId' | 'mode'>;
  site: string | undefined;
  tool: string;
  argumentsHash: string;
};
type Row = {
  now: Date;
  rules: Partial<SiteRules> | null;
  elevation: { id: string; mode: Mode; endsAt: number } | null;
  tainted: boolean;
  refused: ErrorBody | null;
  waiting: string | null;
};

/** One round trip for all that a decision needs from the store. */
export async function readStanding(database: Queryable, query: Query): Promise<Standing> {
  const [row] = await database.query<Row>(
    `SELECT clock_timestamp() AS now,
       (SELECT rules FROM policy.site_rules WHERE site = $1) AS rules,
       EXISTS (SELECT FROM policy.taint WHERE key = $7 AND until > clock_timestamp()) AS tainted,
       (SELECT error FROM policy.decision WHERE call_id = $2 AND result = 'deny') AS refused,
       (SELECT id FROM policy.approval
        WHERE principal_id = $3 AND tool = $4 AND args_hash = $5 AND site = $1
          AND state IN ('pending', 'approved')) AS waiting,
       (SELECT jsonb_build_object('id', id, 'mode', mode, 'endsAt', extract(epoch FROM ends_at) * 1000)
        FROM policy.elevation
        WHERE principal_id = $3 AND state = 'granted' AND ends_at > clock_timestamp()
          AND (site IS NULL OR site = $1) AND (tools IS NULL OR $4 = ANY(tools)) AND ${stillLifts('$8')}
        ORDER BY array_position($6::text[], mode) DESC, ends_at DESC LIMIT 1) AS elevation`,
    [
      query.site ?? '',
      query.callId,
      query.principal.id,
      query.tool,
      query.argumentsHash,
      modes,
      taintName(query.principal) ?? '',
      query.principal.mode,
    ],
    { name: 'policy.standing' },
  );
  if (row === undefined) throw new Error('A SELECT without FROM has one row.');
  return {
    now: row.now,
    rules: { ...defaultSiteRules, ...row.rules },
    tainted: row.tainted,
    ...(row.elevation && { elevation: { ...row.elevation, endsAt: new Date(row.elevation.endsAt) } }),
    ...(row.refused && { refused: row.refused }),
    ...(row.waiting !== null && { waiting: row.waiting }),
  };
}
