import { expect } from 'vitest';
import type { Dice, Head } from './moves/dice.ts';
import type { ToolSite } from './tool-site.ts';

export type Stand = Awaited<ReturnType<typeof standOf>>;
type Comment = { id: string; rev: number; status: string; suggestion: object | null; text: string | null };

/** The whole site, once its numbers are found to add up. */
export async function standOf(site: ToolSite) {
  const sums = await site.check();
  const heads = await site.database.query<Head>(
    `SELECT v.node_id AS id, v.kind, v.rev, v.deleted, v.path, encode(v.hash, 'hex') AS hash, b.doc AS body
     FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.to_seq IS NULL ORDER BY v.from_seq, v.node_id`,
    [site.id],
  );
  const live = await site.database.query<{ id: string; path: string }>(
    `SELECT v.node_id AS id, CASE WHEN v.locale = 'en' THEN '' ELSE '/' || v.locale END || v.path AS path FROM tools.ver v
     WHERE v.site_id = $1 AND v.track = 'live' AND v.to_seq IS NULL AND NOT v.deleted AND v.kind IN ('page', 'entry') ORDER BY 1`,
    [site.id],
  );
  const snapshots = await site.database.query<{ id: string }>(
    'SELECT id FROM tools.snap WHERE site_id = $1 ORDER BY seq DESC LIMIT 40',
    [site.id],
  );
  const embargoes = await site.database.query<{ id: string }>(
    'SELECT node_id AS id FROM tools.embargo WHERE site_id = $1 ORDER BY node_id',
    [site.id],
  );
  const comments = await site.database.query<Comment>(
    `SELECT c.id, c.rev, c.status, c.suggestion, w.text FROM tools.comment c
     LEFT JOIN tools.comment_words w ON w.comment_id = c.id WHERE c.site_id = $1 ORDER BY c.id`,
    [site.id],
  );
  const schedules = await site.database.query(
    `SELECT release_id, at, rev FROM tools.release_run WHERE site_id = $1 AND state = 'scheduled' ORDER BY release_id`,
    [site.id],
  );
  const held = new Set(embargoes.map(({ id }) => id));
  expect(
    live.filter(({ id }) => held.has(id)),
    'what readers must not see yet',
  ).toEqual([]);
  await showsNoMissingAssets(site);
  const head = await site.view().head();
  return { sums, heads, live, head, snapshots, comments, schedules, embargoed: embargoes.map(({ id }) => id) };
}

async function showsNoMissingAssets(site: ToolSite): Promise<void> {
  const missing = await site.database.query(
    `SELECT e.source, e.target FROM tools.edge e WHERE e.site_id = $1 AND e.track = 'live' AND e.target LIKE 'as\\_%'
       AND NOT EXISTS (SELECT FROM tools.ver v WHERE v.site_id = $1 AND v.track = 'live' AND v.node_id = e.target
         AND v.to_seq IS NULL AND NOT v.deleted)`,
    [site.id],
  );
  expect(missing, 'assets that readers are shown and cannot have').toEqual([]);
}

/** Whatever a move may want to know, and the choices of the generator, one after the other. */
export function diceOf(site: ToolSite, { heads, head, ...stand }: Stand, choices: number[], text: string): Dice {
  let next = 0;
  const pick = <T>(from: readonly T[]): T | undefined =>
    from.length === 0 ? undefined : from[choices[next++ % choices.length]! % from.length];
  return {
    ...stand,
    heads,
    liveSnapshot: head.liveSnapshot,
    headSnapshot: head.snapshot,
    pick,
    node: (...kinds) => pick(heads.filter(({ kind, deleted }) => !deleted && kinds.includes(kind as never))) as never,
    trashed: () => pick(heads.filter(({ deleted }) => deleted)),
    digest: async (release) => (await site.data('get_release', { release })).digest,
    text,
  };
}
