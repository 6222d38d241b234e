import { fail } from '@cloudhal/shared/errors';
import { argumentsHash, type Permit, verifyPermit } from '@cloudhal/shared/permit';
import { effects, type Mode, type Principal } from '@cloudhal/shared/policy';
import type { ToolResult } from '@cloudhal/shared/tool';
import { type Filter, listApprovals, viewOf } from './approvals/list-approvals.ts';
import { move, readApproval } from './approvals/move.ts';
import { effectiveMode } from './effective-mode.ts';
import { type Elevation, elevationColumns, endElevation, stillLifts, viewOfElevation } from './elevations/elevation.ts';
import { requestElevation, type Wish } from './elevations/request-elevation.ts';
import { explainCall, type Question } from './explain.ts';
import { modeMatrix } from './mode-matrix.ts';
import { asksAboutPublish, isOwnTool, type OwnTool } from './permit.ts';
import { actorOf } from './record.ts';
import { change, type Room } from './room.ts';
import { taintedUntil } from './taint-store.ts';

type Ask = { permit: Permit; principal: Principal; args: Record<string, unknown> };

const answers: Record<OwnTool, (room: Room, ask: Ask) => Promise<ToolResult>> = {
  get_mode: getMode,
  request_elevation: askForElevation,
  end_elevation: endElevations,
  explain_policy: explain,
  list_approvals: listOwn,
  cancel_approval: cancel,
  list_term_proposals: listTermProposals,
};

/** Answers the tools about mode and approvals. The permit says which one, for whom, and that these are its arguments. */
export async function answerOwnTool(
  room: Room,
  query: { permit: string; arguments: Record<string, unknown>; publish?: Record<string, unknown> },
): Promise<ToolResult> {
  const permit = verifyPermit(query.permit, room.permits);
  const { asker, tool } = permit;
  const isFor = asker !== undefined && asker.id === permit.principal.id;
  if (!isFor || argumentsHash(query.arguments) !== permit.argumentsHash) throw fail('permit_invalid');
  if (asksAboutPublish(tool) && query.publish && permit.site !== undefined) {
    const publish = { tool: 'publish', arguments: { ...query.publish, site: permit.site } };
    return { data: await explainCall(room, asker, publish) };
  }
  if (!isOwnTool(tool)) throw fail('permit_invalid');
  return await answers[tool](room, { permit, principal: asker, args: query.arguments });
}

async function getMode(room: Room, { permit, principal }: Ask): Promise<ToolResult> {
  const until = await taintedUntil(room.database, principal);
  const open = await room.database.query<Elevation>(
    `SELECT ${elevationColumns} FROM policy.elevation
     WHERE principal_id = $1 AND state IN ('pending', 'granted') AND ends_at > clock_timestamp()
       AND ($2::text IS NULL OR site IS NULL OR site = $2)
       AND (state = 'pending' OR ${stillLifts('$3')}) ORDER BY created_at DESC`,
    [principal.id, permit.site ?? null, principal.mode],
  );
  const { approvals } = await listApprovals(room, { ...ownOnly(principal), states: ['pending'] });
  const granted = open.filter(({ state }) => state === 'granted');
  // One for certain tools, or for another site than was asked about, does not lift the mode as such.
  const general = granted.filter(({ tools, site }) => tools === null && (site === null || site === permit.site));
  const effective = general.reduce<Mode>(
    (mode, elevation) => effectiveMode({ ...principal, mode }, elevation, until !== undefined),
    effectiveMode(principal, undefined, false),
  );
  return {
    data: {
      mode: principal.mode,
      effectiveMode: effective,
      calls: Object.fromEntries(effects.map((effect) => [effect, saidOf(principal, effective, effect)])),
      elevations: granted.map(shownElevation),
      requestedElevation: open.find(({ state }) => state === 'pending')?.id ?? null,
      scopes: permit.scopes,
      sites: principal.sites,
      taintedUntil: until?.toISOString() ?? null,
      waiting: approvals.map(({ id, tool, site, summary, expiresAt }) => ({
        id,
        tool,
        ...(site !== undefined && { site }),
        title: summary.title,
        expiresAt,
      })),
    },
  };
}

/** Runs, waits for a person, or is refused; a small publish runs where the site's rules let it. */
function saidOf({ kind }: Principal, mode: Mode, effect: (typeof effects)[number]): string {
  if (kind === 'person') return effect === 'person' ? 'person' : 'allow';
  return modeMatrix[mode][effect];
}

function shownElevation(elevation: Elevation) {
  const { principal: _, ...view } = viewOfElevation(elevation);
  return { ...view, ...(elevation.tools && { tools: elevation.tools }) };
}

async function askForElevation(room: Room, { permit, principal, args }: Ask): Promise<ToolResult> {
  const { mode, minutes, reason, tools } = args as Wish;
  const { elevation, isNew } = await requestElevation(room, principal, permit.callId, {
    mode,
    minutes,
    reason,
    ...(permit.site !== undefined && { site: permit.site }),
    ...(tools && { tools }),
  });
  const waits = elevation.state === 'pending';
  return {
    data: shownElevation(elevation),
    changed: isNew,
    ...(!isNew && { warnings: ['You had asked before; this is that request.'] }),
    next: waits ? ['A person decides in Studio. Go on with what your mode allows, and look with get_mode.'] : [],
  };
}

async function endElevations(room: Room, { permit, principal }: Ask): Promise<ToolResult> {
  const ended = await change(room, async (tx) => {
    const open = await tx.query<Pick<Elevation, 'id' | 'state'>>(
      `SELECT id, state FROM policy.elevation WHERE principal_id = $1 AND state IN ('pending', 'granted')
       ORDER BY id FOR UPDATE`,
      [principal.id],
    );
    const all: string[] = [];
    for (const { id, state } of open) {
      const to = state === 'pending' ? 'withdrawn' : 'ended';
      await endElevation(tx, id, { from: [state], to, actor: actorOf(principal), callId: permit.callId });
      all.push(id);
    }
    return all;
  });
  return { data: { ended, mode: effectiveMode(principal, undefined, false) }, changed: ended.length > 0 };
}

async function explain(room: Room, { principal, args }: Ask): Promise<ToolResult> {
  const question = args as Question;
  return { data: await explainCall(room, principal, { ...question, arguments: question.arguments ?? {} }) };
}

async function listOwn(room: Room, { principal, args }: Ask): Promise<ToolResult> {
  const { status, cursor } = args as { status?: string; cursor?: string };
  const page = await listApprovals(room, {
    ...ownOnly(principal),
    ...(status !== undefined && { states: [status] }),
    ...(cursor !== undefined && { cursor }),
  });
  const approvals = page.approvals.map(shownToAgent);
  return { data: { approvals }, ...(page.cursor !== undefined && { cursor: page.cursor }) };
}

/** Of the sites that the key reaches today, and what concerns none. */
function ownOnly({ id, sites }: Principal): Pick<Filter, 'principalId' | 'sites'> {
  return { principalId: id, sites: sites === '*' ? sites : ['', ...sites] };
}

/** The differences hold what strangers wrote, in comments and imports: they are for people. */
function shownToAgent({ principal: _, summary: { title, lines }, ...view }: ReturnType<typeof viewOf>) {
  return { ...view, summary: { title, lines } };
}

/** Everybody's, of one site: what becomes of its taxonomies concerns whoever works on it. */
async function listTermProposals(room: Room, { permit, args }: Ask): Promise<ToolResult> {
  const { status, cursor } = args as { status?: 'open' | 'decided'; cursor?: string };
  const page = await listApprovals(room, {
    tool: 'propose_term',
    sites: permit.site === undefined ? [] : [permit.site],
    ...(status !== undefined && { pending: status === 'open' }),
    ...(cursor !== undefined && { cursor }),
  });
  const proposals = page.approvals.map(({ id, state, principal, summary, reason, createdAt, ...approval }) => ({
    id,
    state,
    by: principal.name,
    title: summary.title,
    lines: summary.lines,
    reason,
    createdAt,
    ...(approval.decidedAt !== undefined && { decidedAt: approval.decidedAt }),
    ...(approval.rejectReason !== undefined && { rejectReason: approval.rejectReason }),
  }));
  return { data: { proposals }, ...(page.cursor !== undefined && { cursor: page.cursor }) };
}

async function cancel(room: Room, { permit, principal, args }: Ask): Promise<ToolResult> {
  const id = String(args.approval);
  const before = await readApproval(room.database, id);
  if (!before || before.principal.id !== principal.id) throw fail('not_found', { what: 'approval', id });
  const withdrawn = await change(room, (tx) =>
    move(tx, id, { from: ['pending'], to: 'withdrawn', actor: actorOf(principal), callId: permit.callId }),
  );
  const approval = withdrawn ?? (await readApproval(room.database, id)) ?? before;
  if (approval.state === 'withdrawn') return { data: shownToAgent(viewOf(approval)), changed: withdrawn !== undefined };
  throw fail('approval_decided', {
    state: approval.state,
    by: approval.decidedBy ?? 'time',
    at: (approval.decidedAt ?? approval.expiresAt).toISOString(),
  });
}
