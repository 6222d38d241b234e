import { contentHash } from '@cloudhal/shared/canonical-json';
import { embargoSteps } from '../embargoes/embargoes.ts';
import type { BufferedDraft, SideWrite } from './buffered-draft.ts';
import { digestDelta, modulus } from './digest.ts';
import type { Change } from './draft.ts';
import { kindRow } from './kinds.ts';
import type { Track } from './node.ts';
import { projectionSteps } from './projections.ts';
import { chunks, must, type Step } from './steps.ts';
import { nameSteps } from './taken-names.ts';

export type SnapshotFacts = {
  id: string;
  reason: string;
  tool: string;
  actor: { id: string; name: string };
  skill?: string;
  callId: string;
  note?: string;
};

/**
 * Takes the site's lock and its next number, and proves what the draft says of the digests; every step after it relies on
 * it. Fails as `no_site` or `not_exact`.
 */
export function takeSite(draft: BufferedDraft, snapshot: string): Step {
  const of = (track: Track) => draft.changes.filter((change) => change.track === track);
  const proof = (track: Track) => {
    const digest = draft.proofs.get(track);
    return digest === undefined ? null : String(BigInt(`0x${digest}`));
  };
  return {
    text: `WITH site AS (
         UPDATE tools.site SET head_seq = head_seq + 1, head_snapshot = $2,
           draft_digest = mod(draft_digest + $3::numeric, ${modulus}), live_digest = mod(live_digest + $4::numeric, ${modulus}),
           live_seq = CASE WHEN $5 THEN head_seq + 1 ELSE live_seq END,
           live_snapshot = CASE WHEN $5 THEN $2 ELSE live_snapshot END
         WHERE id = $1 RETURNING draft_digest, live_digest
       )
       SELECT ${must('count(*) = 1', 'no_site')},
         ${must('bool_and(draft_digest = coalesce($6::numeric, draft_digest) AND live_digest = coalesce($7::numeric, live_digest))', 'not_exact')}
       FROM site`,
    values: [
      draft.siteId,
      snapshot,
      String(digestDelta(of('draft'))),
      String(digestDelta(of('live'))),
      of('live').length > 0,
      proof('draft'),
      proof('live'),
    ],
    name: 'take_site',
  };
}

/** The bodies, which belong to no site; so they go before its lock is taken. */
export function bodySteps(draft: BufferedDraft): Step[] {
  // In one order everywhere, so that two sites that store the same bodies cannot wait for each other.
  const used = draft.changes.flatMap(({ after }) => (after && draft.docs.has(after.hash) ? [after.hash] : []));
  return chunks([...new Set(used)].sort()).map((part) => ({
    text: `INSERT INTO tools.body (hash, doc) SELECT decode(hash, 'hex'), doc::jsonb FROM unnest($1::text[], $2::text[]) AS b (hash, doc)
       ON CONFLICT DO NOTHING`,
    values: [part, part.map((hash) => draft.docs.get(hash))],
    name: 'store_bodies',
  }));
}

/** Everything else that a snapshot consists of; the bodies and `takeSite` go before it. */
export function storeSteps(draft: BufferedDraft, facts: SnapshotFacts): Step[] {
  const { siteId } = draft;
  const changes = draft.changes;
  const ended = changes.filter((change) => change.before);
  const made = changes.filter((change) => change.after);
  return [
    ...embargoSteps(siteId, changes),
    ...typeSteps(draft),
    ...chunks(ended).map((part) => endVersions(siteId, part)),
    ...chunks(made).map((part) => makeVersions(siteId, part)),
    ...nameSteps(draft),
    snapshotRow(draft, facts),
    ...projectionSteps(siteId, changes),
    ...draft.writes.map(sideStep),
  ];
}

/** Fails as `type_moved`, where entries were checked against a type that is another by now. */
function typeSteps({ siteId, changes, types }: BufferedDraft): Step[] {
  const relies = changes.some(
    ({ kind, track, after }) => kind === 'entry' && track === 'draft' && after && !after.deleted,
  );
  const isChanged = changes.some(({ kind }) => kind === 'content_type');
  if (!relies || isChanged || types.size === 0) return [];
  return [
    {
      text: `SELECT ${must(
        `NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) AS t (name, hash) WHERE NOT EXISTS (
           SELECT FROM tools.ver v WHERE v.site_id = $1 AND v.track = 'draft' AND v.kind = 'content_type' AND v.slug = t.name
             AND v.to_seq IS NULL AND NOT v.deleted AND v.hash = decode(t.hash, 'hex')))`,
        'type_moved',
      )}`,
      values: [siteId, [...types.keys()], [...types.values()].map((type) => contentHash(type))],
      name: 'types_as_read',
    },
  ];
}

/** Fails as `moved`. The version itself is named, not its rev: whoever replaced it in the meantime wins, and this call is told. */
function endVersions(site: string, changes: Change[]): Step {
  return {
    text: `WITH ended AS (
         UPDATE tools.ver v SET to_seq = s.head_seq
         FROM tools.site s, unnest($2::text[], $3::text[], $4::bigint[]) AS c (track, id, seq)
         WHERE s.id = $1 AND v.site_id = $1 AND v.track = c.track AND v.node_id = c.id AND v.from_seq = c.seq AND v.to_seq IS NULL
         RETURNING 1
       )
       SELECT ${must('count(*) = cardinality($2::text[])', 'moved')} FROM ended`,
    values: [site, changes.map((c) => c.track), changes.map((c) => c.id), changes.map((c) => c.before!.seq)],
    name: 'end_versions',
  };
}

/** Fails as `write <index>`. */
function sideStep({ sql, values, expect }: SideWrite, index: number): Step {
  if (!expect) return { text: sql, values };
  return {
    text: `WITH w AS (${sql}) SELECT ${must(`count(*) = ${Number(expect.rows)}`, `write ${index}`)} FROM w`,
    values,
  };
}

function makeVersions(site: string, changes: Change[]): Step {
  const versions = changes.map(({ track, after }) => ({
    track,
    node: after!,
    ...kindRow(after!.kind).columns(after!.body as never),
  }));
  return {
    text: `INSERT INTO tools.ver (site_id, track, node_id, from_seq, rev, kind, hash, deleted, type, slug, path, parent, locale, title, date)
       SELECT $1, c.track, c.id, s.head_seq, c.rev, c.kind, decode(c.hash, 'hex'), c.deleted, c.type, c.slug, c.path, c.parent,
         c.locale, c.title, c.date
       FROM tools.site s, unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::text[],
         $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
         AS c (track, id, rev, kind, hash, deleted, type, slug, path, parent, locale, title, date)
       WHERE s.id = $1`,
    values: [
      site,
      versions.map((v) => v.track),
      versions.map((v) => v.node.id),
      versions.map((v) => v.node.rev),
      versions.map((v) => v.node.kind),
      versions.map((v) => v.node.hash),
      versions.map((v) => v.node.deleted),
      versions.map((v) => v.type ?? ''),
      versions.map((v) => v.slug ?? ''),
      versions.map((v) => v.node.path ?? null),
      versions.map((v) => v.parent ?? null),
      versions.map((v) => v.locale ?? null),
      versions.map((v) => v.title),
      versions.map((v) => v.date ?? ''),
    ],
    name: 'make_versions',
  };
}

function snapshotRow(draft: BufferedDraft, facts: SnapshotFacts): Step {
  const live = draft.changes.filter((change) => change.track === 'live').length;
  return {
    text: `INSERT INTO tools.snap (site_id, seq, id, parent, reason, label, labelled, tool, actor_id, actor_name, skill, call_id,
         draft_digest, live_digest, n_draft, n_live, note, at)
       SELECT s.id, s.head_seq, $2, (SELECT p.id FROM tools.snap p WHERE p.site_id = s.id AND p.seq = s.head_seq - 1),
         $3, $4, $5, $6, $7, $8, $9, $10, s.draft_digest, s.live_digest, $11, $12, $13, clock_timestamp()
       FROM tools.site s WHERE s.id = $1`,
    values: [
      draft.siteId,
      facts.id,
      facts.reason,
      draft.labelled ?? facts.tool,
      draft.labelled !== undefined,
      facts.tool,
      facts.actor.id,
      facts.actor.name,
      facts.skill ?? null,
      facts.callId,
      draft.changes.length - live,
      live,
      facts.note ?? null,
    ],
    name: 'store_snapshot',
  };
}
