import type { Database, Queryable } from '@cloudhal/shared/database';
import { isUniqueViolation } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import type { Base } from '@cloudhal/shared/permit';
import type { ToolResult } from '@cloudhal/shared/tool';
import type { Answer } from '../define-tool.ts';
import { BufferedDraft } from './buffered-draft.ts';
import { changesDigest } from './changes-digest.ts';
import type { Draft } from './draft.ts';
import { revConflict } from './rev-conflict.ts';
import { inOrder, type Step } from './steps.ts';
import { bodySteps, MovedError, type SnapshotFacts, storeSteps, takeSite } from './store-changes.ts';

export type Mutation = Omit<SnapshotFacts, 'id'> & {
  site: string;
  /** The site is held from before the work begins. */
  exclusive: boolean;
  /** What an approval was given for; a state that moved since is refused. */
  base?: Base;
};

export type Target = { id: string; rev_before?: number; rev_after?: number };

/** What is about to be committed, for whoever settles the call in the same transaction. */
export type Made = { result: ToolResult; snapshot?: string; targets: Target[] };

/**
 * The only way to change a site: gives the work a draft, and stores what it changed as exactly one snapshot, together with
 * what `settle` sends, or not at all. Work that changes nothing makes no snapshot and is settled all the same.
 */
export async function mutate(
  database: Database,
  mutation: Mutation,
  work: (draft: Draft) => Promise<Answer>,
  settle: (sql: Queryable, made: Made) => Step[],
): Promise<ToolResult> {
  let draft: BufferedDraft | undefined;
  try {
    if (mutation.exclusive) {
      return await database.transaction(async (tx) => {
        await holdSite(tx, mutation.site);
        draft = new BufferedDraft(tx, mutation.site);
        return store(tx, draft, mutation, await work(draft), settle);
      });
    }
    const ready = new BufferedDraft(database, mutation.site);
    draft = ready;
    const answer = await work(ready);
    return await database.transaction((tx) => store(tx, ready, mutation, answer, settle));
  } catch (error) {
    throw await explain(error, database, mutation.site, draft);
  }
}

/** The changes that work would make, without making them. */
export async function dryRun(
  database: Database,
  site: string,
  work: (draft: Draft) => Promise<Answer>,
): Promise<{ draft: BufferedDraft; answer: Answer }> {
  const draft = new BufferedDraft(database, site);
  return { draft, answer: await work(draft) };
}

async function holdSite(tx: Queryable, site: string): Promise<void> {
  const rows = await tx.query('SELECT id FROM tools.site WHERE id = $1 FOR UPDATE', [site], { name: 'hold_site' });
  if (rows.length === 0) throw fail('not_found', { what: 'site', id: site });
}

async function store(
  tx: Queryable,
  draft: BufferedDraft,
  mutation: Mutation,
  answer: Answer,
  settle: (sql: Queryable, made: Made) => Step[],
): Promise<ToolResult> {
  const { base } = mutation;
  if (base?.diff !== undefined && base.diff !== changesDigest(draft.changes)) throw fail('digest_moved');
  const targets: Target[] = [
    ...draft.changes.map(target),
    ...draft.touched.map(({ id, rev }) => ({ id, ...after(rev) })),
  ];
  if (targets.length === 0 && draft.labelled === undefined) {
    const result = { ...answer, changed: false };
    await inOrder(settle(tx, { result, targets }));
    return result;
  }
  const snapshot = newId('sn');
  const result = { ...answer, snapshot, changed: true };
  // Sent together. Taking the site comes first: the fence and the revs are judged by whoever holds it.
  await inOrder([
    ...bodySteps(tx, draft),
    takeSite(tx, draft, snapshot),
    ...settle(tx, { result, snapshot, targets }),
    ...baseSteps(tx, mutation),
    ...storeSteps(tx, draft, { ...mutation, id: snapshot }),
  ]);
  return result;
}

function target({ id, before, after: now }: { id: string; before?: { rev: number }; after?: { rev: number } }): Target {
  return { id, ...(before && { rev_before: before.rev }), ...after(now?.rev) };
}

function after(rev: number | undefined): { rev_after?: number } {
  return rev === undefined ? {} : { rev_after: rev };
}

function baseSteps(tx: Queryable, { site, base }: Mutation): Step[] {
  const seen = Object.entries(base?.revs ?? {});
  if (seen.length === 0) return [];
  const step: Step<{ id: string; rev: number }> = {
    // The heads as they were before this call: its own versions are sent after.
    rows: tx.query(
      `SELECT node_id AS id, rev FROM tools.ver WHERE site_id = $1 AND track = 'draft' AND node_id = ANY($2) AND to_seq IS NULL`,
      [site, seen.map(([id]) => id)],
      { name: 'approved_revs' },
    ),
    check(rows) {
      const now = new Map(rows.map(({ id, rev }) => [id, rev]));
      const moved = seen.filter(([id, rev]) => now.get(id) !== rev).map(([id]) => id);
      if (moved.length > 0) throw fail('approval_stale', { what: moved });
    },
  };
  return [step];
}

/** The coded error of what the store said. Asked after the rollback, so the answer is what others see. */
async function explain(
  error: unknown,
  database: Database,
  site: string,
  draft: BufferedDraft | undefined,
): Promise<unknown> {
  if (error instanceof MovedError) {
    const { track, id, before } = error.change;
    return track === 'draft' ? revConflict(database, site, id, before!.rev) : fail('digest_moved');
  }
  if (isUniqueViolation(error, 'ver_head')) return fail('digest_moved');
  if (!isUniqueViolation(error, 'ver_path') || !draft) return error;
  const made = draft.changes.filter(({ after }) => after?.path !== undefined && !after.deleted);
  const [taken] = await database.query<{ path: string; by: string }>(
    `SELECT v.path, v.node_id AS by FROM unnest($2::text[], $3::text[], $4::text[]) AS c (track, id, path)
     JOIN tools.ver v ON v.site_id = $1 AND v.track = c.track AND v.path = c.path AND v.node_id <> c.id AND v.to_seq IS NULL
       AND NOT v.deleted AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) AS m (track, id) WHERE m.track = v.track AND m.id = v.node_id)
     LIMIT 1`,
    [site, made.map(({ track }) => track), made.map(({ id }) => id), made.map(({ after }) => after!.path)],
  );
  return fail('slug_taken', { slug: taken?.path ?? made[0]?.after?.path ?? '', by: taken?.by ?? 'another node' });
}
