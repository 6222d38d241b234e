import { Type } from 'typebox';
import { type RedirectProblem, redirectProblems } from '../../content/redirect-problems.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { Condition, Listed } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { Choice, Cursor, Limit, Site } from '../arguments.ts';
import { RedirectData, redirectData } from './redirect-data.ts';

const Part = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description }));
/** How many are looked at in one call, where only those with a problem are asked for. */
const mostLookedAt = 1_000;

export const listRedirects = readTool({
  name: 'list_redirects',
  title: 'List redirects',
  description: 'Redirects by path, with how often readers were led on, and those that end nowhere or in a detour.',
  scopes: ['redirects:read'],
  toolsets: ['release', 'insight'],
  input: Input({
    site: Site,
    from: Part('Part of the old path.'),
    to: Part('Part of the target.'),
    problem: Type.Optional(Choice(['chain', 'loop', 'dead'], 'Only with this problem.')),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ redirects: Type.Array(RedirectData) }),
  async run({ from, to, problem, cursor: start, limit = 25 }, view) {
    const where: Condition[] = [
      ...(from === undefined ? [] : [{ member: 'from', is: 'contains' as const, value: from }]),
      ...(to === undefined ? [] : [{ member: 'to', is: 'contains' as const, value: to }]),
    ];
    const shown: { node: Listed<'redirect'>; problem?: RedirectProblem }[] = [];
    let cursor = start;
    let looked = 0;
    do {
      const page = await view.list({
        kind: 'redirect',
        where,
        sort: 'path',
        limit: Math.min(100, limit - shown.length),
        ...(cursor !== undefined && { cursor }),
      });
      const problems = await redirectProblems(view, page.items);
      for (const node of page.items) {
        const found = problems.get(node.id);
        if (problem === undefined || found === problem) shown.push({ node, ...(found && { problem: found }) });
      }
      looked += page.items.length;
      cursor = page.cursor;
    } while (cursor !== undefined && shown.length < limit && looked < mostLookedAt);
    const hits = await hitsOf(
      view,
      shown.map(({ node }) => node.id),
    );
    return {
      data: {
        redirects: shown.map(({ node, problem: found }) => ({
          ...redirectData(node),
          state: node.status,
          ...(hits.get(node.id) ?? { hits: 0 }),
          ...(found && { problem: found }),
        })),
      },
      ...(cursor !== undefined && { cursor }),
    };
  },
});

async function hitsOf(view: View, ids: string[]): Promise<Map<string, { hits: number; lastHit: string }>> {
  const rows = await view.rows<{ id: string; hits: number; at: Date }>(
    'SELECT node_id AS id, hits, last_at AS at FROM tools.redirect_hit WHERE site_id = $1 AND node_id = ANY($2)',
    [ids],
  );
  return new Map(rows.map(({ id, hits, at }) => [id, { hits, lastHit: at.toISOString() }]));
}
