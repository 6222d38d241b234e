import { cut } from '@cloudhal/shared/cut';
import type { EntryBody, PageBody } from '@cloudhal/shared/site/shapes';
import { createTwoFilesPatch } from 'diff';
import { kindRow } from '../../graph/kinds.ts';
import type { Difference, GraphNode } from '../../graph/node.ts';
import { bytesPerToken } from '../tokens.ts';
import { isImported, sourceOf } from '../untrusted.ts';
import { type ChangedMember, changedMembers } from './changed-members.ts';

export const diffFormats = ['summary', 'fields', 'body'] as const;
export type DiffFormat = (typeof diffFormats)[number];

export type DifferenceData = {
  id: string;
  kind: string;
  change: 'added' | 'removed' | 'changed';
  path?: string;
  rev?: { before?: number; after?: number };
  /** Its title, as it is on the side where it is. */
  title?: string;
  /** Names of what changed; with `fields`, its values before and after. */
  members?: (string | ChangedMember)[];
  /** A unified diff of the Markdown body. */
  body?: string;
};

// More than this of one node are not listed.
const maxMembers = 100;

/** One node that differs, as tools return it. */
export function differenceData(
  { id, kind, before, after }: Difference,
  format: DiffFormat,
  maxTokens: number,
): DifferenceData {
  const [old, now] = [there(before), there(after)];
  const one = (now ?? old ?? after ?? before)!;
  const members = old && now ? changedMembers(old.body, now.body).slice(0, maxMembers) : [];
  return {
    id,
    kind,
    change: !old ? 'added' : !now ? 'removed' : 'changed',
    ...(one.path !== undefined && { path: one.path }),
    rev: { ...(old && { before: old.rev }), ...(now && { after: now.rev }) },
    ...titled(one),
    ...(members.length > 0 && { members: format === 'fields' ? members : members.map(({ member }) => member) }),
    ...(format === 'body' && bodyDiff(text(old), text(now), maxTokens * bytesPerToken)),
  };
}

/** What identifies a change; text that nobody has looked at is apart from it. */
export type SetApart = { known: Omit<DifferenceData, 'title' | 'members' | 'body'>; untrusted?: object };

/** The same, with the text of a node that nobody has looked at set apart from what identifies it. */
export function setApart(change: Difference, format: DiffFormat, maxTokens: number): SetApart {
  const data = differenceData(change, format, maxTokens);
  if (!isUntrusted(change)) return { known: data };
  const { title, members, body, ...known } = data;
  const text = {
    ...(title !== undefined && { title }),
    ...(members && { members }),
    ...(body !== undefined && { body }),
  };
  return { known, untrusted: { source: sourceOf(change.id), id: change.id, ...text } };
}

/** One of its sides has text from outside that nobody has looked at. */
export function isUntrusted({ before, after }: Difference): boolean {
  return [before, after].some((node) => node !== undefined && isImported(node));
}

function there(node: GraphNode | undefined): GraphNode | undefined {
  return node?.deleted ? undefined : node;
}

function titled({ kind, body }: GraphNode): { title?: string } {
  const { title } = kindRow(kind).columns(body as never);
  return title === '' ? {} : { title };
}

/** The Markdown of an entry, or of all the text sections of a page. */
function text(node: GraphNode | undefined): string {
  if (node?.kind === 'entry') return (node.body as EntryBody).body;
  if (node?.kind !== 'page') return '';
  const sections = (node.body as PageBody).sections.map(({ props }) => props.markdown);
  return sections.filter((markdown) => typeof markdown === 'string').join('\n\n');
}

// The comparison of long texts that have little in common takes the square of their length; it is given up.
const maxDifferences = 1_000;

function bodyDiff(before: string, after: string, max: number): { body?: string } {
  if (before === after) return {};
  const patch = createTwoFilesPatch('before', 'after', before, after, undefined, undefined, {
    context: 2,
    maxEditLength: maxDifferences,
  });
  if (patch === undefined) return { body: 'The two texts have too little in common to compare them line by line.' };
  return { body: patch.length > max ? `${cut(patch, max)}…` : patch };
}
