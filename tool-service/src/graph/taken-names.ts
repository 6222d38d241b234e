import type { Queryable } from '@cloudhal/shared/database';
import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import type { BufferedDraft } from './buffered-draft.ts';
import { kindRow } from './kinds.ts';
import { must, type Step } from './steps.ts';

/** By what a node is found: its address, or the name that its kind has instead. */
function namesOf(draft: BufferedDraft) {
  return draft.changes.flatMap(({ track, id, kind, after }) => {
    if (!after || after.deleted) return [];
    const { named, columns } = kindRow(kind);
    const { slug = '', locale = null } = columns(after.body as never);
    const name = after.path ?? (named && slug);
    return name === undefined ? [] : [{ track, id, kind, name, locale }];
  });
}

/** Refuses an address or a name of the change that another node has, be it by the same change. */
export async function slugTaken(database: Queryable, draft: BufferedDraft): Promise<CloudhalError | undefined> {
  const made = namesOf(draft);
  if (made.length === 0) return undefined;
  const [taken] = await database.query<{ slug: string; by: string }>(
    `WITH made AS (SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS m (track, id, kind, name, locale)),
     heads AS NOT MATERIALIZED (
       SELECT * FROM tools.ver WHERE site_id = $1 AND track = ANY($2) AND to_seq IS NULL AND NOT deleted
         AND NOT (track, node_id) IN (SELECT * FROM unnest($7::text[], $8::text[]))
     ),
     others AS (
       SELECT * FROM made
       UNION ALL SELECT track, node_id, kind, path, locale FROM heads WHERE path = ANY($5)
       UNION ALL SELECT track, node_id, kind, slug, locale FROM heads WHERE path IS NULL AND kind = ANY($4) AND slug = ANY($5)
     )
     SELECT m.name AS slug, o.id AS by FROM made m JOIN others o ON o.track = m.track AND o.id <> m.id AND o.name = m.name
       AND o.locale IS NOT DISTINCT FROM m.locale AND (o.kind = m.kind OR m.name LIKE '/%') LIMIT 1`,
    [
      draft.siteId,
      made.map(({ track }) => track),
      made.map(({ id }) => id),
      made.map(({ kind }) => kind),
      made.map(({ name }) => name),
      made.map(({ locale }) => locale),
      draft.changes.map(({ track }) => track),
      draft.changes.map(({ id }) => id),
    ],
  );
  return taken && fail('slug_taken', taken);
}

/** Fails as `name_taken`; addresses have an index that is unique. */
export function nameSteps(draft: BufferedDraft): Step[] {
  const named = draft.changes.filter(({ kind, after }) => kindRow(kind).named && after && !after.deleted);
  if (named.length === 0) return [];
  return [
    {
      text: `SELECT ${must(
        `NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) AS c (track, id)
           JOIN tools.ver v ON v.site_id = $1 AND v.track = c.track AND v.node_id = c.id AND v.to_seq IS NULL
           JOIN tools.ver o ON o.site_id = $1 AND o.track = v.track AND o.kind = v.kind AND o.slug = v.slug AND o.to_seq IS NULL
             AND NOT o.deleted AND o.locale IS NOT DISTINCT FROM v.locale AND o.node_id <> v.node_id)`,
        'name_taken',
      )}`,
      values: [draft.siteId, named.map(({ track }) => track), named.map(({ id }) => id)],
      name: 'names_are_free',
    },
  ];
}
