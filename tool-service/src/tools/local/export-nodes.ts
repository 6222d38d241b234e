import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import { Site } from '../arguments.ts';

type Row = { id: string; kind: string; deleted: boolean; body: Record<string, unknown> };

const perPage = 100;
const mostBytes = 300 * 1024;

export const exportNodes = readTool({
  name: 'export_nodes',
  title: 'Export nodes',
  description: 'The nodes of the draft as they are stored, by id, also those in the trash; all pages are of one state.',
  scopes: ['content:read'],
  input: Input({
    site: Site,
    snapshot: Type.Optional(Type.String({ maxLength: 64, description: 'The state of the first page.' })),
    after: Type.Optional(Type.String({ maxLength: 64, description: 'The last id that is known.' })),
  }),
  output: Type.Object({
    snapshot: Type.String(),
    digest: Type.String(),
    nodes: Type.Array(Type.Unsafe<object>({ type: 'object' })),
    more: Type.Boolean(),
  }),
  async run({ snapshot, after = '' }, view) {
    const state = await view.snapshot(snapshot ?? (await view.head()).snapshot);
    const rows = await view.rows<Row>(
      `SELECT v.node_id AS id, v.kind, v.deleted, b.doc AS body FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
       WHERE v.site_id = $1 AND v.track = 'draft' AND v.node_id > $2
         AND v.from_seq <= $3 AND (v.to_seq IS NULL OR v.to_seq > $3)
       ORDER BY v.node_id LIMIT $4`,
      [after, state.seq, perPage + 1],
    );
    const nodes = thatFit(rows.slice(0, perPage));
    return { data: { snapshot: state.id, digest: state.draftDigest, nodes, more: nodes.length < rows.length } };
  },
});

/** As many as ride the bus in one answer, and always the first. */
function thatFit(rows: readonly Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return bytes > mostBytes;
  });
  return rows.slice(0, end < 0 ? rows.length : Math.max(end, 1));
}
