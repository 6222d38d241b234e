import type { Queryable } from '@cloudhal/shared/database';
import { type CloudhalError, fail } from '@cloudhal/shared/errors';

type Row = { rev: number; doc: Record<string, unknown>; deleted: boolean; actor: string };

/** Says how a node of the draft stands now, what changed since the rev that was sent, and who changed it. */
export async function revConflict(sql: Queryable, site: string, node: string, sent: number): Promise<CloudhalError> {
  const rows = await sql.query<Row>(
    `SELECT v.rev, b.doc, v.deleted, s.actor_name AS actor FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     JOIN tools.snap s ON s.site_id = v.site_id AND s.seq = v.from_seq
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.node_id = $2 AND (v.rev >= $3 OR v.to_seq IS NULL)
     ORDER BY v.rev LIMIT 100`,
    [site, node, sent],
  );
  const current = rows.at(-1);
  if (!current || (current.rev === sent && current.deleted)) return fail('not_found', { what: 'node', id: node });
  const read = rows[0]?.rev === sent ? rows[0] : undefined;
  return fail('rev_conflict', {
    node,
    sent,
    currentRev: current.rev,
    ...(read && { changedFields: changedMembers(read.doc, current.doc) }),
    by: [...new Set(rows.filter((row) => row.rev > sent).map((row) => row.actor))],
  });
}

/** Members that differ, with those of `fields` named one by one. */
export function changedMembers(before: Record<string, unknown>, after: Record<string, unknown>, prefix = ''): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].sort().flatMap((name) => {
    const [a, b] = [before[name], after[name]];
    if (JSON.stringify(a) === JSON.stringify(b)) return [];
    const inner = prefix === '' && name === 'fields' && isObject(a) && isObject(b);
    return inner ? changedMembers(a, b, 'fields.') : [`${prefix}${name}`];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
