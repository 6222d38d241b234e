import type { Effect } from '@cloudhal/shared/policy';
import { quote } from '@cloudhal/shared/quote';
import type { Correction } from '@cloudhal/shared/site/correction';
import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { checkFields } from '../content/entries.ts';
import { redirectAt } from '../content/follow-redirects.ts';
import { addressOf } from '../content/site-paths.ts';
import type { Change } from '../graph/draft.ts';
import { editEffect, kindRow } from '../graph/kinds.ts';
import { namedNodes, shownAssets } from '../graph/named-nodes.ts';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { isUntrusted } from '../tools/snapshots/difference-data.ts';
import { titleOf } from './title.ts';

/** From harmless to always a person. */
const strength: Record<Effect, number> = {
  read: 0,
  view: 0,
  ask: 0,
  edit: 1,
  'auto-publish': 2,
  delete: 3,
  publish: 4,
  person: 5,
};
const mostProblems = 20;

export function strongest(effects: readonly Effect[]): Effect {
  return effects.reduce((a, b) => (strength[b] > strength[a] ? b : a), 'read');
}

/** What it takes to make one change. */
export function effectOf({ track, kind, before, after }: Change): Effect {
  const row = kindRow(kind);
  const there = (node: GraphNode | undefined) => (node?.deleted ? undefined : node);
  const [old, now] = [there(before), there(after)];
  if (now && retractions(before) !== retractions(now)) return 'person';
  if (track === 'draft') return strongest([editEffect(kind, old, now), old && !now ? 'delete' : 'edit']);
  return now ? row.publish : strongest([row.publish, 'publish']);
}

/** An entry that says that it no longer stands, or no longer says so: always a person's decision. */
function retractions(node: GraphNode | undefined): string {
  return correctionsOf(node)
    .flatMap(({ id, kind }) => (kind === 'retraction' ? [id] : []))
    .join(' ');
}

function correctionsOf(node: GraphNode | undefined): Correction[] {
  return (node && 'corrections' in node.body && node.body.corrections) || [];
}

/** What somebody should know before these changes go live, in sentences. */
export async function problemsOf(view: View, changes: readonly Change[]): Promise<string[]> {
  return (await findProblems(view, changes)).map(({ problem }) => problem);
}

/** `review`: nobody has looked at it. */
export type Problem = { check: 'validation' | 'links' | 'review'; problem: string };

/** The same, by what finds it. */
export async function findProblems(view: View, changes: readonly Change[]): Promise<Problem[]> {
  const exposed = changes.filter((change) => change.track === 'live' && change.after && !change.after.deleted);
  const dead = await deadLinks(view, exposed);
  // A publish takes the mark off as it goes, so what they were before counts, too.
  const imported = new Set(changes.filter(isUntrusted).map(({ id }) => id));
  const problems: Problem[] = [];
  const found = (check: Problem['check'], problem: string) => problems.push({ check, problem });
  const newTypes = await typesNotLive(view, exposed);
  const absent = await absentReferences(view, exposed);
  const left = await leftAddresses(view, exposed);
  for (const { before, after } of exposed) {
    const node = after!;
    // Text that nobody has looked at does not get to speak here.
    const unseen = imported.has(node.id);
    const name = unseen ? node.id : quote(titleOf(node));
    if (unseen)
      found('review', `${name} was ${node.kind === 'asset' ? 'fetched' : 'imported'} and no person has looked at it.`);
    if (node.kind === 'entry') {
      const fault = await fieldFault(view, node.body as EntryBody);
      if (fault) found('validation', `${name} is not valid: ${fault}`);
      const { type } = node.body as EntryBody;
      if (newTypes.has(type)) found('validation', `${name} is of type ${type}, whose newest version is not live.`);
    }
    const kept = new Set(correctionsOf(node).map(({ id }) => id));
    const lost = correctionsOf(before).filter(({ id }) => !kept.has(id));
    if (lost.length > 0)
      found('validation', `${name} loses a correction that readers see, of ${quote(lost[0]!.correctedAt)}.`);
    const address = left.get(node.id);
    if (address !== undefined)
      found(
        'links',
        `${name} leaves ${unseen ? 'its address' : quote(address)}, and nothing leads readers on from there.`,
      );
    for (const reference of absent.get(node.id) ?? []) found('links', `${name} names ${reference}, which is not live.`);
    for (const target of dead.get(node.id) ?? [])
      found('links', `${name} links to ${unseen ? 'a path' : quote(target)}, which is not live.`);
    if (problems.length >= mostProblems) return problems.slice(0, mostProblems);
  }
  return problems;
}

async function fieldFault(view: View, entry: EntryBody): Promise<string | undefined> {
  try {
    checkFields(await view.contentType(entry.type), entry.fields, 'fields');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Links to paths of the site at which readers would find nothing, by node. */
async function deadLinks(view: View, exposed: readonly Change[]): Promise<Map<string, string[]>> {
  const byNode = new Map<string, string[]>();
  for (const { id, after } of exposed) {
    const links = kindRow(after!.kind).links?.(after!.body as never) ?? [];
    const paths = links.map((link) => link.target).filter((target) => target.startsWith('/') && target !== '/');
    if (paths.length > 0) byNode.set(id, [...new Set(paths)]);
  }
  if (byNode.size === 0) return byNode;
  const wanted = [...new Set([...byNode.values()].flat())];
  const gone = new Set(exposed.map((change) => change.id));
  const live = await view.rows<{ path: string; id: string }>(
    `SELECT v.path, v.node_id AS id FROM tools.ver v
     WHERE v.site_id = $1 AND v.track = 'live' AND v.to_seq IS NULL AND NOT v.deleted AND v.path = ANY($2)
     UNION SELECT b.doc->>'pathPrefix', v.node_id FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     WHERE v.site_id = $1 AND v.track = 'live' AND v.to_seq IS NULL AND v.kind = 'content_type'`,
    [wanted],
  );
  const there = new Set(live.filter((row) => !gone.has(row.id)).map((row) => row.path));
  for (const { after } of exposed) if (after?.path !== undefined) there.add(after.path);
  for (const [id, paths] of byNode)
    byNode.set(
      id,
      paths.filter((path) => !there.has(path)),
    );
  return byNode;
}

/** Addresses that nodes change for another one, and at which readers would find nothing any more, by node. */
async function leftAddresses(view: View, exposed: readonly Change[]): Promise<Map<string, string>> {
  const head = await view.head();
  const taken = new Set(exposed.map(({ after }) => addressOf(after!, head)));
  const left = new Map<string, string>();
  for (const { id, before, after } of exposed) {
    const address = before && !before.deleted ? addressOf(before, head) : undefined;
    if (address === undefined || address === addressOf(after!, head) || taken.has(address)) continue;
    if (!(await redirectAt(view, address, { track: 'live' }))) left.set(id, address);
  }
  return left;
}

/** People and nodes that bylines and fields name and readers do not know, by the node that names them. */
async function absentReferences(view: View, exposed: readonly Change[]): Promise<Map<string, string[]>> {
  const byNode = exposed.map(({ id, after }): [string, string[]] => [
    id,
    [...new Set([...namedNodes(after!), ...shownAssets(after!)])],
  ]);
  const wanted = [...new Set(byNode.flatMap(([, targets]) => targets))];
  const there = await view.nodes(wanted, { track: 'live' });
  // What goes live with them counts.
  const live = new Set([...there, ...exposed].map(({ id }) => id));
  return new Map(byNode.map(([id, targets]) => [id, targets.filter((target) => !live.has(target))]));
}

/** Types of the exposed entries that readers' pages are not rendered by yet, and will not be after these changes. */
async function typesNotLive(view: View, exposed: readonly Change[]): Promise<Set<string>> {
  const entries = exposed.flatMap(({ after }) => (after?.kind === 'entry' ? [(after.body as EntryBody).type] : []));
  const live = new Map(exposed.map(({ id, after }) => [id, after!.hash]));
  const types = await Promise.all([...new Set(entries)].map((name) => view.find('content_type', name)));
  const late = types.map(async (type) => {
    if (!type || live.get(type.id) === type.hash) return [];
    return (await view.status(type)) === 'published' ? [] : [type.body.name];
  });
  return new Set((await Promise.all(late)).flat());
}
