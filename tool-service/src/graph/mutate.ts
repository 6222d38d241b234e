import type { Database, Queryable } from '@cloudhal/shared/database';
import { isUniqueViolation } from '@cloudhal/shared/database';
import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import type { Base } from '@cloudhal/shared/permit';
import type { ToolResult } from '@cloudhal/shared/tool';
import type { Answer } from '../define-tool.ts';
import { embargoedIn } from '../embargoes/embargoes.ts';
import { BufferedDraft } from './buffered-draft.ts';
import type { Draft } from './draft.ts';
import { revConflict } from './rev-conflict.ts';
import { SqlView } from './sql-view.ts';
import { failedMust, must, type Step, sendSteps } from './steps.ts';
import { bodySteps, type SnapshotFacts, storeSteps, takeSite } from './store-changes.ts';
import { slugTaken } from './taken-names.ts';

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
 * what `settle` adds, or not at all. Work that changes nothing makes no snapshot and is settled all the same.
 */
export async function mutate(
  database: Database,
  mutation: Mutation,
  work: (draft: Draft) => Promise<Answer>,
  settle: (made: Made) => Step[],
): Promise<ToolResult> {
  let draft: BufferedDraft | undefined;
  try {
    if (mutation.exclusive) {
      return await database.transaction(async (tx) => {
        await holdSite(tx, mutation.site);
        draft = new BufferedDraft(tx, mutation.site);
        const { result, steps } = compose(draft, mutation, await work(draft), settle);
        await sendSteps(tx, steps);
        return result;
      });
    }
    for (;;) {
      draft = new BufferedDraft(database, mutation.site);
      const { result, steps } = compose(draft, mutation, await work(draft), settle);
      if (steps.length === 0 || (await storedByTypes(database, steps))) return result;
    }
  } catch (error) {
    throw await explain(error, database, mutation, draft);
  }
}

/** Stores a change; false where a content type that it relies on changed meanwhile: the work is then done anew, by the new type. */
async function storedByTypes(database: Database, steps: Step[]): Promise<boolean> {
  try {
    await database.atomic(steps);
    return true;
  } catch (error) {
    if (failedMust(error) === 'type_moved') return false;
    throw error;
  }
}

/** The changes that work would make, without making them; refused as they would be. Once `signal` says that nobody waits any more it reads no further. */
export async function dryRun(
  database: Queryable,
  site: string,
  signal: AbortSignal,
  work: (draft: Draft) => Promise<Answer>,
): Promise<{ draft: BufferedDraft; answer: Answer }> {
  const reading: Queryable = {
    async query(...asked) {
      if (signal.aborted) throw fail('deadline_exceeded_not_applied');
      return database.query(...asked);
    },
  };
  const draft = new BufferedDraft(reading, site);
  const answer = await work(draft);
  const taken = await slugTaken(reading, draft);
  if (taken) throw taken;
  return { draft, answer };
}

async function holdSite(tx: Queryable, site: string): Promise<void> {
  const rows = await tx.query('SELECT id FROM tools.site WHERE id = $1 FOR UPDATE', [site], { name: 'hold_site' });
  if (rows.length === 0) throw fail('not_found', { what: 'site', id: site });
}

/** What the call answers, and the statements that make it true. */
function compose(
  draft: BufferedDraft,
  mutation: Mutation,
  answer: Answer,
  settle: (made: Made) => Step[],
): { result: ToolResult; steps: Step[] } {
  const { base } = mutation;
  if (base?.diff !== undefined && base.diff !== draft.digest) throw fail('digest_moved');
  const targets: Target[] = [
    ...draft.changes.map(target),
    ...draft.touched.map(({ id, rev }) => ({ id, ...after(rev) })),
  ];
  if (draft.isUntouched) {
    const result = { ...answer, changed: false };
    return { result, steps: settle({ result, targets }) };
  }
  const snapshot = newId('sn');
  const result = { ...answer, snapshot, changed: true };
  const steps = [
    ...bodySteps(draft),
    takeSite(draft, snapshot),
    // Judged by whoever holds the site, and before anything of this call's own can be seen.
    ...settle({ result, snapshot, targets }),
    ...baseSteps(mutation),
    ...storeSteps(draft, { ...mutation, id: snapshot }),
  ];
  return { result, steps };
}

function target({ id, before, after: now }: { id: string; before?: { rev: number }; after?: { rev: number } }): Target {
  return { id, ...(before && { rev_before: before.rev }), ...after(now?.rev) };
}

function after(rev: number | undefined): { rev_after?: number } {
  return rev === undefined ? {} : { rev_after: rev };
}

/** Fails as `approval_stale`. */
function baseSteps({ site, base }: Mutation): Step[] {
  const seen = Object.entries(base?.revs ?? {});
  if (seen.length === 0) return [];
  return [
    {
      text: `SELECT ${must(`NOT EXISTS (${movedRevs})`, 'approval_stale')}`,
      values: [site, seen.map(([id]) => id), seen.map(([, rev]) => rev)],
      name: 'approved_revs',
    },
  ];
}

/** Nodes whose draft has another rev by now. */
const movedRevs = `SELECT c.id FROM unnest($2::text[], $3::int[]) AS c (id, rev)
  LEFT JOIN tools.ver v ON v.site_id = $1 AND v.track = 'draft' AND v.node_id = c.id AND v.to_seq IS NULL
  WHERE v.rev IS DISTINCT FROM c.rev`;

/** The coded error of what the store said. Asked after the rollback, so the answer is what others see. */
async function explain(
  error: unknown,
  database: Database,
  { site, base }: Mutation,
  draft: BufferedDraft | undefined,
): Promise<unknown> {
  if (!draft) return error;
  if (isUniqueViolation(error, 'ver_head')) return fail('digest_moved');
  const failed = failedMust(error);
  if (failed === 'name_taken' || isUniqueViolation(error, 'ver_path')) {
    // Whoever had it may have given it up since.
    return (await slugTaken(database, draft)) ?? fail('slug_taken', { slug: 'asked for', by: 'another node' });
  }
  if (failed === 'no_site') return fail('not_found', { what: 'site', id: site });
  if (failed === 'fenced') return fail('deadline_exceeded_not_applied');
  if (failed === 'moved') return movedError(database, draft);
  if (failed === 'embargoed') return embargoedError(database, draft);
  if (failed === 'approval_stale') {
    const seen = Object.entries(base?.revs ?? {});
    const moved = await database.query<{ id: string }>(movedRevs, [
      site,
      seen.map(([id]) => id),
      seen.map(([, rev]) => rev),
    ]);
    return fail('approval_stale', { what: moved.map((row) => row.id) });
  }
  const [, index] = /^write (\d+)$/.exec(failed ?? '') ?? [];
  return (index !== undefined && draft.writes[Number(index)]?.expect?.otherwise) || error;
}

/** Another call replaced a version after this one had read it. */
async function movedError(database: Database, draft: BufferedDraft): Promise<CloudhalError> {
  const ended = draft.changes.filter((change) => change.before);
  const heads = await database.query<{ key: string; seq: number }>(
    `SELECT v.track || ' ' || v.node_id AS key, v.from_seq AS seq FROM unnest($2::text[], $3::text[]) AS c (track, id)
     JOIN tools.ver v ON v.site_id = $1 AND v.track = c.track AND v.node_id = c.id AND v.to_seq IS NULL`,
    [draft.siteId, ended.map((change) => change.track), ended.map((change) => change.id)],
  );
  const now = new Map(heads.map(({ key, seq }) => [key, seq]));
  const moved = ended.find(({ track, id, before }) => now.get(`${track} ${id}`) !== before!.seq);
  if (moved?.track !== 'draft') return fail('digest_moved');
  return revConflict(database, draft.siteId, moved.id, moved.before!.rev);
}

async function embargoedError(database: Database, draft: BufferedDraft): Promise<CloudhalError> {
  const held = await embargoedIn(new SqlView(database, draft.siteId), draft.changes, new Date(0));
  const [longest] = held.sort((a, b) => b.until.localeCompare(a.until));
  return fail('embargoed', longest ?? { node: 'A node', until: 'a moment ago' });
}
