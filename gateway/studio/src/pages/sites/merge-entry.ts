import { applyPatch, createPatch } from 'diff';
import type { Entry, EntryChange } from '../../api/content.ts';

/** What a person writes of an entry, or of what has fields alone. */
export type Written = Pick<Entry, 'fields' | 'body' | 'terms' | 'bylines'>;
export type Version = Written & { rev: number };

/** Two versions in one; `clashes` are the fields, `body` or `bylines`, that both changed and where the person's stand. */
export type Merged = Written & { clashes: string[] };

/** The props of a section, or what is said of a page. */
export const fieldsAlone = (fields: Entry['fields']): Written => ({ fields, body: '', terms: [], bylines: [] });

/** What to send so that what was read becomes what was written. Pure. */
export function changeOf(read: Written, written: Written): EntryChange {
  const names = changedFields(read, written);
  const set = names.filter((name) => !isEmpty(written.fields[name]));
  const unset = names.filter((name) => isEmpty(written.fields[name]));
  const [add, remove] = [without(written.terms, read.terms), without(read.terms, written.terms)];
  return {
    ...(set.length > 0 && { set: Object.fromEntries(set.map((name) => [name, written.fields[name]])) }),
    ...(unset.length > 0 && { unset }),
    ...(read.body !== written.body && { body: written.body }),
    ...((add.length > 0 || remove.length > 0) && { terms: { add, remove } }),
    ...(!isSame(read.bylines, written.bylines) && { bylines: written.bylines }),
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
  const bylines = mergeWhole(read.bylines, mine.bylines, theirs.bylines);
  if (bylines === undefined) clashes.push('bylines');
  return {
    fields,
    body: body ?? mine.body,
    terms: mergeTerms(read.terms, mine.terms, theirs.terms),
    bylines: bylines ? bylines.merged : mine.bylines,
    clashes,
  };
}

/** `undefined` where both changed it, and not just different lines of a text. */
function mergeValue(read: unknown, mine: unknown, theirs: unknown): { merged: unknown } | undefined {
  if (typeof read !== 'string' || typeof mine !== 'string' || typeof theirs !== 'string')
    return mergeWhole(read, mine, theirs);
  const merged = mergeText(read, mine, theirs);
  return merged === undefined ? undefined : { merged };
}

/** `undefined` where both changed it, each in another way. */
function mergeWhole<T>(read: T, mine: T, theirs: T): { merged: T } | undefined {
  if (isSame(read, theirs) || isSame(mine, theirs)) return { merged: mine };
  return isSame(read, mine) ? { merged: theirs } : undefined;
}

/** Each is there or not, whatever the others are: what both did fits always. */
function mergeTerms(read: string[], mine: string[], theirs: string[]): string[] {
  const all = new Set([...theirs, ...without(mine, read)]);
  return without([...all], without(read, mine));
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

function without(names: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return names.filter((name) => !left.has(name));
}

function isSame(a: unknown, b: unknown): boolean {
  return (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b);
}

/** An input that was emptied is a field that is not there. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
