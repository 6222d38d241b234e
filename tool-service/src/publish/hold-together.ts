import { fail } from '@cloudhal/shared/errors';
import type { ContentTypeBody, PageBody } from '@cloudhal/shared/site/shapes';
import { checkFields, slugIsKnown } from '../content/entries.ts';
import { mostEntries } from '../content/migrate-entries.ts';
import { leadReadersOn } from '../content/move-page.ts';
import { refuseDetours } from '../content/redirects.ts';
import { moveUsages } from '../content/term-changes.ts';
import { nodesOf, pagesUnder, refuseLinked, refuseLive, refuseNeededPage } from '../content/uses.ts';
import type { Draft } from '../graph/draft.ts';
import { kindRow } from '../graph/kinds.ts';
import type { GraphNode } from '../graph/node.ts';

type Pair = { before: GraphNode | undefined; after: GraphNode };

/**
 * Nodes that went back to an earlier state meet a draft that went on: lets what came later follow as the tools do that
 * change such nodes, and refuses what they refuse.
 */
export async function holdTogether(draft: Draft): Promise<void> {
  const changes = draft.changes.filter(({ track }) => track === 'draft');
  for (const { before, after } of changes)
    if (before && isThere(before) && !isThere(after)) await refuseUsed(draft, before);
  const pairs = changes.flatMap(({ before, after }): Pair[] => (isThere(after) ? [{ before, after: after! }] : []));
  for (const pair of pairs) await follow(draft, pair);
  const moved = pairs.filter(({ before, after }) => before?.path !== after.path).map(({ after }) => after);
  await leadReadersOn(
    draft,
    moved.filter(({ kind }) => kind === 'page' || kind === 'term'),
  );
  const redirects = draft.changes.flatMap(({ after }) => (isThere(after) && is('redirect', after!) ? [after] : []));
  for (const { body } of redirects) await refuseDetours(draft, body, redirects);
}

/** What the draft cannot be without stays. */
async function refuseUsed(draft: Draft, node: GraphNode): Promise<void> {
  if (is('redirect', node)) return;
  if (is('page', node)) await refuseNeededPage(draft, node);
  const members = is('content_type', node)
    ? await nodesOf(draft, 'entry', node.body.name)
    : is('taxonomy', node)
      ? await nodesOf(draft, 'term', node.body.name)
      : [];
  if (members.length > 0) throw fail('in_use', { node: node.id, by: members.slice(0, 5).map(({ id }) => id) });
  if (is('page', node) || is('entry', node) || is('asset', node)) await refuseLive(draft, node);
  await refuseLinked(draft, node);
}

async function follow(draft: Draft, { before, after }: Pair): Promise<void> {
  await refuseMissing(draft, before, after);
  if (is('entry', after)) {
    checkFields(await draft.contentType(after.body.type), after.body.fields, 'fields');
    const [live] = await draft.nodes([after.id], { track: 'live' });
    if (live && before?.path !== after.path && live.path !== after.path) throw slugIsKnown();
  } else if (is('content_type', after)) {
    await refuseMisfits(draft, after);
  } else if (is('site', after)) {
    await refuseLostLocales(draft, after);
  } else if (is('page', after)) {
    await refuseOtherPlace(draft, after);
    if (before?.path !== after.path)
      for (const page of await pagesUnder(draft, after)) await refuseOtherPlace(draft, page);
  } else if (is('term', after) && before && before.path !== after.path) {
    await moveUsages(draft, (before as typeof after).body, after.body.slug);
  }
}

/** A site keeps the languages that something is written in. */
async function refuseLostLocales(draft: Draft, { id, body: { locales } }: GraphNode<'site'>): Promise<void> {
  const [written] = await draft.rows<{ id: string }>(
    `SELECT node_id AS id FROM tools.ver
     WHERE site_id = $1 AND to_seq IS NULL AND NOT deleted AND locale <> ALL($2) LIMIT 1`,
    [locales],
  );
  if (written) throw fail('in_use', { node: id, by: written.id });
}

/** Names that a node cannot do without, and that it did not have until now. */
async function refuseMissing(draft: Draft, before: GraphNode | undefined, after: GraphNode): Promise<void> {
  const had = isThere(before) ? needed(before!) : [];
  for (const name of needed(after)) {
    if (had.includes(name)) continue;
    const there = name.startsWith('/') ? await draft.find('term', name) : (await draft.nodes([name]))[0];
    if (!there) {
      throw fail('validation_failed', {
        path: 'node',
        expected: `${name}, which ${after.id} names, to be restored first`,
      });
    }
  }
}

function needed({ kind, body }: GraphNode): string[] {
  const roles = ['term', 'byline', 'translation', 'parent', 'homePage'];
  const links = kindRow(kind).links?.(body as never) ?? [];
  const above = kind === 'page' ? ((body as PageBody).parent ?? []) : [];
  return links.flatMap(({ role, target }) => (roles.includes(role) ? target : [])).concat(above);
}

async function refuseMisfits(draft: Draft, { id, body }: GraphNode<'content_type'>): Promise<void> {
  const entries = await nodesOf(draft, 'entry', body.name);
  if (entries.length > mostEntries) {
    throw fail('limit_exceeded', { what: `The number of entries of ${body.name}`, max: mostEntries });
  }
  const misfits = entries.filter(({ body: { fields } }) => !fits(body, fields));
  if (misfits.length > 0) {
    throw fail('in_use', {
      node: id,
      by: misfits.slice(0, 50).map((entry) => `entry ${entry.id}, which would not fit`),
    });
  }
}

function fits(type: ContentTypeBody, fields: Record<string, unknown>): boolean {
  try {
    checkFields(type, fields, 'fields');
    return true;
  } catch {
    return false;
  }
}

/** A page's address follows from the page above it. */
async function refuseOtherPlace(draft: Draft, { id, body }: GraphNode<'page'>): Promise<void> {
  const parent = body.parent === undefined ? undefined : await draft.find('page', body.parent);
  if (body.path !== `${parent?.body.path ?? ''}/${body.slug}`) throw fail('undo_conflict', { nodes: [`${id} (path)`] });
}

function isThere(node: GraphNode | undefined): boolean {
  return node !== undefined && !node.deleted;
}

function is<K extends GraphNode['kind']>(kind: K, node: GraphNode): node is GraphNode<K> {
  return node.kind === kind;
}
