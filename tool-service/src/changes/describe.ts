import type { Summary } from '@cloudhal/shared/contracts';
import { quote } from '@cloudhal/shared/quote';
import type { Static } from 'typebox';
import type { Change } from '../graph/draft.ts';
import type { GraphNode } from '../graph/node.ts';
import { type DifferenceData, differenceData, isUntrusted } from '../tools/snapshots/difference-data.ts';
import { countOf, kindName, titleOf } from './title.ts';

const mostLines = 12;
const mostNodes = 200;
/** Tokens of one node's text diff. */
const mostText = 3_000;
/** Characters of all diffs together: a summary travels in one message, and is stored. */
const mostCharacters = 200_000;

/**
 * What a person decides by: made from the changes themselves, with all text from content set apart and made harmless. What
 * nobody has looked at stands in the differences alone: the agent is told title and lines, too.
 */
export function describeChanges(title: string, all: readonly Change[], more: string[] = []): Static<typeof Summary> {
  // What is made in the trash is there for the other track; nobody sees it.
  const changes = all.filter(({ before, after }) => [before, after].some((node) => node && !node.deleted));
  const lines = changes.slice(0, mostLines).map(lineOf);
  if (changes.length > mostLines) lines.push(`… and ${changes.length - mostLines} more.`);
  return { title, lines: [...lines, ...more], diff: diffOf(changes) };
}

/** The nodes that a set of changes is about, each once, for a title. */
export function changedNodes(changes: readonly Change[]): GraphNode[] {
  return [...new Map(changes.map((change) => [change.id, (change.after ?? change.before)!])).values()];
}

/** `article "Title"`, its id where nobody has looked at that, or how many of what. */
export function subjectOf(changes: readonly Change[]): string {
  const nodes = changedNodes(changes);
  const [only] = nodes;
  return nodes.length === 1 && only ? nameIn(only, changes) : countOf(nodes);
}

function nameIn(node: GraphNode, changes: readonly Change[]): string {
  return `${kindName(node)} ${changes.some(isUntrusted) ? node.id : quote(titleOf(node))}`;
}

function lineOf(change: Change): string {
  const { before, after } = change;
  const node = (after ?? before)!;
  const name = `${nameIn(node, [change])}${node.path === undefined ? '' : ` at ${quote(node.path)}`}`;
  const gone = !after || after.deleted;
  const fresh = !before || before.deleted;
  if (change.track === 'live') {
    if (gone) return `Readers no longer see ${name}.`;
    return fresh
      ? `Readers see ${name} for the first time.`
      : `Readers see the changes of ${name}: ${membersOf(change)}.`;
  }
  if (gone) return `The draft loses ${name}.`;
  return fresh ? `The draft gets ${name}.` : `The draft of ${name} changes: ${membersOf(change)}.`;
}

function membersOf(change: Change): string {
  const { members = [] } = differenceData(change, 'summary', mostText);
  const all = [...new Set(members.map((member) => String(member).replace(/^corrections\b.*/, 'corrections')))];
  const named = all.slice(0, 8).join(', ');
  return named === '' ? 'its place' : all.length > 8 ? `${named} …` : named;
}

function diffOf(changes: readonly Change[]): object[] {
  let left = mostCharacters;
  const shown: object[] = [];
  for (const change of changes.slice(0, mostNodes)) {
    const row = {
      track: change.track,
      ...harmless(differenceData(change, 'body', mostText)),
      values: valuesOf(change),
    };
    left -= JSON.stringify(row).length;
    if (left < 0) break;
    shown.push(row);
  }
  return shown;
}

function harmless(data: DifferenceData): object {
  return {
    ...data,
    ...(data.title !== undefined && { title: quote(data.title) }),
    ...(data.path !== undefined && { path: quote(data.path) }),
    ...(data.body !== undefined && { body: visible(data.body) }),
  };
}

function valuesOf(change: Change): object[] {
  const { members = [] } = differenceData(change, 'fields', mostText);
  return members.slice(0, 40).flatMap((member) => {
    if (typeof member === 'string' || (member.before === undefined && member.after === undefined)) return [];
    const { before, after } = member;
    return [
      {
        member: quote(member.member),
        ...(before !== undefined && { before: said(before) }),
        ...(after !== undefined && { after: said(after) }),
      },
    ];
  });
}

function said(value: unknown): string {
  return quote(typeof value === 'string' ? value : JSON.stringify(value), 300);
}

/** Text as it is, but with what does not show, or changes the direction of what follows, written out. */
function visible(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
