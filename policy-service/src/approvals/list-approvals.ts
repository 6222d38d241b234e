import type { ApprovalView } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import type { Static } from 'typebox';
import type { Room } from '../room.ts';
import { type Approval, approvalColumns } from './approval.ts';

export type Filter = {
  /** Only of this principal. */
  principalId?: string;
  /** Only of these sites; `*` is all, also what concerns none. */
  sites: readonly string[] | '*';
  states?: readonly string[];
  /** Only those that wait, or only those that do not any more. */
  pending?: boolean;
  tool?: string;
  id?: string;
  cursor?: string;
  limit?: number;
  /** Without the diffs, which may be large. */
  brief?: boolean;
};

const briefColumns = approvalColumns.replace(' summary,', " summary - 'diff' AS summary,");

type View = Static<typeof ApprovalView>;

/** Newest first; the cursor names the last one seen. */
export async function listApprovals(room: Room, filter: Filter): Promise<{ approvals: View[]; cursor?: string }> {
  const limit = filter.limit ?? 50;
  const after = filter.cursor === undefined ? undefined : readCursor(filter.cursor);
  const rows = await room.database.query<Approval & { position: string }>(
    `SELECT ${filter.brief ? briefColumns : approvalColumns}, created_at::text AS position FROM policy.approval
     WHERE ($1::text IS NULL OR principal_id = $1) AND ($2::text[] IS NULL OR site = ANY($2))
       AND ($3::text[] IS NULL OR state = ANY($3)) AND ($4::text IS NULL OR id = $4)
       AND ($5::text IS NULL OR (created_at, id) < ($5::timestamptz, $6::text))
       AND ($8::boolean IS NULL OR (state = 'pending') = $8) AND ($9::text IS NULL OR tool = $9)
     ORDER BY created_at DESC, id DESC LIMIT $7`,
    [
      filter.principalId ?? null,
      filter.sites === '*' ? null : filter.sites,
      filter.states ?? null,
      filter.id ?? null,
      after?.position ?? null,
      after?.id ?? null,
      limit + 1,
      filter.pending ?? null,
      filter.tool ?? null,
    ],
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { approvals: page.map(viewOf), ...(last && { cursor: writeCursor(last) }) };
}

export function viewOf(approval: Approval): View {
  const { principal, site, skill, decidedBy, decidedVia, decidedAt, rejectReason, consumedCallId } = approval;
  return {
    id: approval.id,
    ...(site !== '' && { site }),
    tool: approval.tool,
    state: approval.state,
    principal: { id: principal.id, name: principal.name, ...(principal.owner && { owner: principal.owner }) },
    ...(skill && { skill: skill.name }),
    mode: approval.mode,
    reason: approval.reason,
    summary: approval.summary,
    alwaysPerson: approval.effect === 'person',
    createdAt: approval.createdAt.toISOString(),
    expiresAt: approval.expiresAt.toISOString(),
    ...(decidedBy !== null && { decidedBy }),
    ...(decidedVia !== null && { decidedVia }),
    ...(decidedAt !== null && { decidedAt: decidedAt.toISOString() }),
    ...(rejectReason !== null && { rejectReason }),
    ...(consumedCallId !== null && { callId: consumedCallId }),
  };
}

function writeCursor({ position, id }: { position: string; id: string }): string {
  return Buffer.from(JSON.stringify([position, id])).toString('base64url');
}

function readCursor(cursor: string): { position: string; id: string } {
  try {
    const [position, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (typeof position === 'string' && /^\d{4}-[\d :.+-]{1,40}$/.test(position) && typeof id === 'string') {
      return { position, id };
    }
  } catch {
    // Falls through to the one answer for every cursor that was not made here.
  }
  throw fail('validation_failed', { path: 'cursor', expected: 'the cursor of the last page' });
}
