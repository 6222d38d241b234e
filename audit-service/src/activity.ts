import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { Queryable } from '@cloudhal/shared/database';
import { compile } from '@cloudhal/shared/schema';
import type { ToolResult } from '@cloudhal/shared/tool';
import { type Static, Type } from 'typebox';
import type { View } from './access.ts';
import { showNames } from './names.ts';
import { Conditions, cursorOf, newestFirst, type Place } from './query.ts';
import { isoTime } from './search.ts';

const Arguments = Type.Object({
  since: Type.Optional(Type.String({ maxLength: 40 })),
  tool: Type.Optional(Type.String({ maxLength: 64 })),
  decision: Type.Optional(Type.String({ maxLength: 64 })),
  cursor: Type.Optional(Type.String({ maxLength: 1024 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
type Arguments = Static<typeof Arguments>;
const checkArguments: (value: unknown) => asserts value is Arguments = compile<Arguments>(Arguments);

/** One call, however many lines the record has of it. Without `outcome` it is not over, or waits for a person. */
export type Activity = {
  callId: string;
  at: string;
  tool?: string;
  /** `read`, `attempted` for a change, or `decision` for a call that did not run. */
  type: string;
  decision?: string;
  outcome?: string;
  code?: string;
  snapshot?: string;
  skill?: string;
  approval?: string;
  actor: { id: string; name?: string };
};

/** The answer of `list_activity`: calls, newest first. */
export async function listActivity(database: Queryable, view: View, args: unknown): Promise<ToolResult> {
  checkArguments(args);
  const { limit = 50 } = args;
  const where = decisionLines(view, args);
  const rows = await database.query<Place & { call_id: string }>(
    `SELECT e.part, e.seq, e.call_id, to_char(e.ts AT TIME ZONE 'UTC', '${isoTime}') AS at
     FROM audit.event e WHERE ${where} ORDER BY ${newestFirst} LIMIT ${limit + 1}`,
    where.values,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const lines = await linesOf(database, page);
  return {
    data: { activity: page.map((call) => foldCall(call, lines.get(keyOf(call)) ?? [])) },
    ...(last !== undefined && rows.length > limit && { cursor: cursorOf(last) }),
  };
}

/** A call is listed where the line stands that says how it was decided: each call has one. */
function decisionLines(view: View, { since, tool, decision, cursor }: Arguments): Conditions {
  const where = new Conditions();
  where.addView(view);
  where.addTime('>=', 'since', since);
  where.addCursor(cursor);
  where.add("e.call_id IS NOT NULL AND e.type IN ('attempted', 'read', 'decision')");
  if (tool !== undefined) where.add('e.tool = ?', tool);
  if (decision !== undefined) where.add('e.decision = ?', decision);
  return where;
}

async function linesOf(database: Queryable, calls: CallPlace[]): Promise<Map<string, AuditEvent[]>> {
  const lines = new Map<string, AuditEvent[]>();
  if (calls.length === 0) return lines;
  const rows = await database.query<CallPlace & { body: string }>(
    `SELECT part, call_id, body FROM audit.event
     WHERE call_id = ANY($1) AND part = ANY($2) ORDER BY part, seq LIMIT 2000`,
    [calls.map((call) => call.call_id), [...new Set(calls.map((call) => call.part))]],
  );
  const events = await showNames(
    database,
    rows.map((row) => JSON.parse(row.body) as AuditEvent),
  );
  for (const [i, row] of rows.entries()) lines.set(keyOf(row), [...(lines.get(keyOf(row)) ?? []), events[i]!]);
  return lines;
}

type CallPlace = { part: string; call_id: string };

function keyOf({ part, call_id }: CallPlace): string {
  return `${part}\n${call_id}`;
}

/** What is said later holds. The call itself comes before what people did with an approval that it ran under. */
function foldCall({ call_id: callId, at }: { call_id: string; at: string }, lines: AuditEvent[]): Activity {
  const main = lines.find((line) => line.decision !== undefined && !line.type.startsWith('approval.'));
  const last = <T>(pick: (line: AuditEvent) => T | undefined) =>
    lines.map(pick).findLast((value) => value !== undefined);
  const facts = {
    tool: main?.tool,
    decision: last((line) => line.decision?.result),
    outcome: last((line) => line.outcome?.state),
    code: last((line) => line.outcome?.code),
    snapshot: last((line) => line.snapshot_id),
    skill: last((line) => line.skill?.name),
    approval: last((line) => line.approval?.id),
  };
  const { id = '', name } = main?.actor ?? {};
  return {
    callId,
    at,
    type: main?.type ?? '',
    actor: { id, ...(name !== undefined && { name }) },
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
  };
}
