import { fail } from '@cloudhal/shared/errors';
import type { Change, Draft } from '../graph/draft.ts';
import { shownAssets } from '../graph/named-nodes.ts';
import type { GraphNode } from '../graph/node.ts';
import { must, type Step } from '../graph/steps.ts';
import type { View } from '../graph/view.ts';

type Held = Pick<GraphNode, 'id' | 'kind' | 'body'>;

/** Until when each of the ids has an embargo of its own at `now` (else by the store's clock), as ISO 8601. */
export async function ownEmbargoes(view: View, ids: readonly string[], now?: Date): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await view.rows<{ node: string; until: Date }>(
    `SELECT node_id AS node, until FROM tools.embargo
     WHERE site_id = $1 AND node_id = ANY($2) AND until > coalesce($3, clock_timestamp()) ORDER BY 1`,
    [ids, now ?? null],
    'own_embargoes',
  );
  return new Map(rows.map(({ node, until }) => [node, until.toISOString()]));
}

/** Until when each of the nodes is under embargo at `now` (else by the store's clock); those that are not are left out. */
export async function embargoesOf(view: View, nodes: readonly Held[], now?: Date): Promise<Map<string, string>> {
  const own = await ownEmbargoes(view, [...new Set(nodes.flatMap(holders))], now);
  const until = nodes.map((node) => [node.id, holders(node).flatMap((id) => own.get(id) ?? [])] as const);
  const held = new Map(until.flatMap(([id, times]) => (times.length === 0 ? [] : [[id, times.sort().at(-1)!]])));
  const alone = unshownAssets(nodes.filter(({ id }) => !held.has(id)));
  if (alone.length === 0) return held;
  const rows = await view.rows<{ node: string; until: Date }>(heldAssets('coalesce($3, clock_timestamp())'), [
    alone,
    now ?? null,
  ]);
  return new Map([...held, ...rows.map((row): [string, string] => [row.node, row.until.toISOString()])]);
}

/** Assets among the nodes that no other of them shows. */
function unshownAssets(nodes: readonly Held[]): string[] {
  const assets = nodes.flatMap(({ id, kind }) => (kind === 'asset' ? [id] : []));
  if (assets.length === 0) return [];
  const shown = new Set(nodes.flatMap(shownAssets));
  return assets.filter((id) => !shown.has(id));
}

/** An asset of embargoed drafts is held with them, unless readers have it, or have something that shows it. */
function heldAssets(now: string): string {
  return `SELECT e.target AS node, max(m.until) AS until FROM tools.edge e
     LEFT JOIN tools.edge o ON o.site_id = e.site_id AND o.track = 'draft' AND o.source = e.source AND o.role = 'translation'
     JOIN tools.embargo m ON m.site_id = e.site_id AND m.node_id IN (e.source, o.target) AND m.until > ${now}
     WHERE e.site_id = $1 AND e.track = 'draft' AND e.target = ANY($2::text[])
       AND NOT EXISTS (SELECT FROM tools.edge l WHERE l.site_id = $1 AND l.track = 'live' AND l.target = e.target)
       AND NOT EXISTS (SELECT FROM tools.ver v WHERE v.site_id = $1 AND v.track = 'live' AND v.node_id = e.target
         AND v.to_seq IS NULL AND NOT v.deleted)
     GROUP BY e.target ORDER BY 1`;
}

/** Until when a node is under embargo, as a member of what tools say about it. */
export async function embargoOf(view: View, node: GraphNode, now: Date): Promise<{ embargo?: string }> {
  const embargo = (await embargoesOf(view, [node], now)).get(node.id);
  return embargo === undefined ? {} : { embargo };
}

/** Nodes that readers would get to see at `now` although they are under embargo. */
export async function embargoedIn(view: View, changes: readonly Change[], now: Date) {
  const held = await embargoesOf(view, exposedBy(changes), now);
  return [...held].map(([node, until]) => ({ node, until }));
}

/** Refuses a change that would show readers an embargoed node. */
export async function refuseEmbargoed(view: View, changes: readonly Change[], now: Date): Promise<void> {
  const [first] = await embargoedIn(view, changes, now);
  if (first) throw fail('embargoed', first);
}

/** A copy says what the original says, so it is held as long. */
export function keepEmbargo(draft: Draft, original: GraphNode, copy: GraphNode): void {
  draft.write(
    `INSERT INTO tools.embargo (site_id, node_id, until, reason, set_by)
     SELECT site_id, $3, until, reason, set_by FROM tools.embargo
     WHERE site_id = $1 AND node_id = ANY($2::text[]) AND until > clock_timestamp() ORDER BY until DESC LIMIT 1
     ON CONFLICT (site_id, node_id) DO UPDATE SET until = greatest(tools.embargo.until, excluded.until)`,
    [holders(original), copy.id],
  );
}

/**
 * Whatever puts a node live passes here, in the transaction that does it: the rule does not depend on a tool that remembers
 * it. Fails as `embargoed`.
 */
export function embargoSteps(site: string, changes: readonly Change[]): Step[] {
  const exposed = exposedBy(changes);
  if (exposed.length === 0) return [];
  const own = {
    text: `SELECT ${must(
      `NOT EXISTS (SELECT FROM tools.embargo
         WHERE site_id = $1 AND node_id = ANY($2::text[]) AND until > clock_timestamp())`,
      'embargoed',
    )}`,
    values: [site, [...new Set(exposed.flatMap(holders))]],
    name: 'embargoed',
  };
  const alone = unshownAssets(exposed);
  if (alone.length === 0) return [own];
  const assets = {
    text: `SELECT ${must(`NOT EXISTS (${heldAssets('clock_timestamp()')})`, 'embargoed')}`,
    values: [site, alone],
    name: 'embargoed_assets',
  };
  return [own, assets];
}

function exposedBy(changes: readonly Change[]): GraphNode[] {
  return changes.flatMap(({ track, after }) => (track === 'live' && after && !after.deleted ? [after] : []));
}

/** The nodes whose embargo holds for it: a translation says what its original says. */
function holders({ id, body }: Held): string[] {
  const of = 'translation' in body ? body.translation?.of : undefined;
  return of === undefined ? [id] : [id, of];
}
