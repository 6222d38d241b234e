import { applyPatch, createPatch } from 'diff';
import type { Entry, EntryChange } from '../../api/content.ts';

/** What a person writes: the fields and the body of an entry, or the props of a section. */
export type Written = Pick<Entry, 'fields' | 'body'>;
export type Version = Written & { rev: number };

/** Two versions in one; `clashes` are the fields, or `body`, that both changed and where the person's stand. */
export type Merged = Written & { clashes: string[] };

/** What to send so that what was read becomes what was written. Pure. */
export function changeOf(read: Written, written: Written): EntryChange {
  const names = changedFields(read, written);
  const set = names.filter((name) => !isEmpty(written.fields[name]));
  const unset = names.filter((name) => isEmpty(written.fields[name]));
  return {
    ...(set.length > 0 && { set: Object.fromEntries(set.map((name) => [name, written.fields[name]])) }),
    ...(unset.length > 0 && { unset }),
    ...(read.body !== written.body && { body: written.body }),
  };
}

export function isChanged(read: Written, written: Written): boolean {
  return Object.keys(changeOf(read, written)).length > 0;
}

/** Puts what a person changed since `read` into what somebody else made of it meanwhile. Pure. */
export function mergeEntry(read: Written, mine: Written, theirs: Written): Merged {
  const clashes: string[] = [];
  const fields = { ...theirs.fields };
  for (const name of changedFields(read, mine)) {
    const value = mergeValue(read.fields[name], mine.fields[name], theirs.fields[name]);
    if (value === undefined) clashes.push(name);
    fields[name] = value ? value.merged : mine.fields[name];
  }
  const body = mergeText(read.body, mine.body, theirs.body);
  if (body === undefined) clashes.push('body');
  return { fields, body: body ?? mine.body, clashes };
}

/** `undefined` where both changed it, and not just different lines of a text. */
function mergeValue(read: unknown, mine: unknown, theirs: unknown): { merged: unknown } | undefined {
  if (isSame(read, theirs) || isSame(mine, theirs)) return { merged: mine };
  if (typeof read !== 'string' || typeof mine !== 'string' || typeof theirs !== 'string') return undefined;
  const merged = mergeText(read, mine, theirs);
  return merged === undefined ? undefined : { merged };
}

/** `undefined` where both changed the same lines. */
function mergeText(read: string, mine: string, theirs: string): string | undefined {
  if (mine === theirs || read === theirs) return mine;
  if (read === mine) return theirs;
  // Paragraphs are single lines, so the lines around a change are what tells its place.
  const merged = applyPatch(theirs, createPatch('body', read, mine, undefined, undefined, { context: 1 }));
  return merged === false ? undefined : merged;
}

function changedFields(before: Written, after: Written): string[] {
  const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
  return [...names].filter((name) => !isSame(before.fields[name], after.fields[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  return (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b);
}

/** An input that was emptied is a field that is not there. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
