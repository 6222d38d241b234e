import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import { fromCursor, paged, toCursor } from '../../graph/cursor.ts';
import type { GraphNode } from '../../graph/node.ts';
import { toNode, type VersionRow, versionColumns, versionTables } from '../../graph/rows.ts';
import { planRelease } from '../../releases/plan-release.ts';
import { newestRun, type Run, releaseStates } from '../../releases/runs.ts';
import { Choice, Cursor, Limit, Site } from '../arguments.ts';
import { releaseHead, standing } from './release-data.ts';

type Row = VersionRow & { run: Run | null };

export const listReleases = readTool({
  name: 'list_releases',
  title: 'List releases',
  description: 'Releases with their state and time, newest first, and how many conflicts each has.',
  scopes: ['releases:read'],
  toolsets: ['release'],
  input: Input({
    site: Site,
    state: Type.Optional(Choice(releaseStates, 'Only in this state.')),
    cursor: Cursor,
    limit: Limit(50),
  }),
  output: Type.Object({ releases: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ state, cursor: from, limit = 25 }, view, call) {
    const rows = await view.rows<Row>(
      `SELECT ${versionColumns}, CASE WHEN r.state IS NULL THEN NULL ELSE to_jsonb(r) END AS run
       FROM ${versionTables} ${newestRun('v.node_id')}
       WHERE v.site_id = $1 AND v.track = 'draft' AND v.kind = 'release' AND v.to_seq IS NULL AND NOT v.deleted
         AND ($2::text IS NULL OR CASE WHEN coalesce(r.state, 'unscheduled') = 'unscheduled' THEN 'open' ELSE r.state END = $2)
         AND ($3::text IS NULL OR v.node_id < $3)
       ORDER BY v.node_id DESC LIMIT $4`,
      [state ?? null, from === undefined ? null : fromCursor(from, 'string')[0], limit + 1],
    );
    const { items, cursor } = paged(rows, limit, (row) => toCursor(row.id));
    const releases = [];
    // One plan after another: those of a page together would take the connections of other calls.
    for (const { run, ...row } of items) {
      const release = toNode(row) as GraphNode<'release'>;
      const shown = standing(release, run ? dated(run) : undefined);
      // What is live has nothing left that stands against it.
      const conflicts = shown.state === 'released' ? [] : (await planRelease(view, release, call.now())).conflicts;
      releases.push({ ...releaseHead(release), ...shown, conflicts: conflicts.length });
    }
    return { data: { releases }, ...(cursor !== undefined && { cursor }) };
  },
});

/** Times come as text within JSON. */
function dated(run: Run): Run {
  return { ...run, at: new Date(run.at), endedAt: run.endedAt && new Date(run.endedAt) };
}
