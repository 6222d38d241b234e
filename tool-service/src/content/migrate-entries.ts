import { CloudhalError, fail } from '@cloudhal/shared/errors';
import type { ContentTypeBody, EntryBody } from '@cloudhal/shared/site/shapes';
import type { Draft } from '../graph/draft.ts';
import type { FieldMoves } from './change-type.ts';
import { checkFields } from './entries.ts';
import { resolveReferences } from './references.ts';

/** How the drafts of a type come through a change of it. */
export type Migration = {
  entries: number;
  /** Fit as they are. */
  unchanged: number;
  /** Fit once values were moved, filled in or dropped with their field. */
  migrated: number;
  /** Lose the values that do not fit. */
  losing: Misfit[];
};
export type Misfit = { id: string; why: string };

/** Entries of one type that one change may touch. */
export const mostEntries = 2_000;

/**
 * Makes every draft of the type one of the changed type, or nothing: what cannot fit is refused by name. With `unset`, values
 * that do not fit are given up where the type can do without.
 */
export async function migrateEntries(
  draft: Draft,
  type: ContentTypeBody,
  moves: FieldMoves,
  misfits: 'refuse' | 'unset',
): Promise<Migration> {
  const { items } = await draft.list({ kind: 'entry', type: type.name, sort: 'path', limit: mostEntries + 1 });
  if (items.length > mostEntries) {
    throw fail('limit_exceeded', { what: `The number of entries of ${type.name}`, max: mostEntries });
  }
  const migration: Migration = { entries: items.length, unchanged: 0, migrated: 0, losing: [] };
  const fill = await resolveReferences(draft, type, moves.fill, 'default');
  const unfit: Misfit[] = [];
  const changed: { id: string; rev: number; body: EntryBody }[] = [];
  for (const entry of items) {
    const { fields, lost, problem } = await migrated(draft, type, entry.body.fields, { ...moves, fill }, misfits);
    if (problem !== undefined) unfit.push({ id: entry.id, why: problem });
    else if (lost !== undefined) migration.losing.push({ id: entry.id, why: lost });
    else if (fields === entry.body.fields) migration.unchanged++;
    else migration.migrated++;
    if (fields !== entry.body.fields) changed.push({ id: entry.id, rev: entry.rev, body: { ...entry.body, fields } });
  }
  if (unfit.length > 0) throw doNotFit(unfit, items.length);
  await draft.saveAll('entry', changed);
  return migration;
}

type Migrated = { fields: Record<string, unknown>; lost?: string; problem?: string };

async function migrated(
  draft: Draft,
  type: ContentTypeBody,
  before: Record<string, unknown>,
  { fill, moved, named }: FieldMoves,
  misfits: 'refuse' | 'unset',
): Promise<Migrated> {
  const kept = Object.entries(before).flatMap(([name, value]): [string, unknown][] => {
    const to = moved.has(name) ? moved.get(name) : name;
    return to === undefined ? [] : [[to, value]];
  });
  const missing = Object.entries(fill).filter(([name]) => !kept.some(([has]) => has === name));
  const same = missing.length === 0 && Object.keys(before).every((name) => !moved.has(name));
  let fields = same ? before : Object.fromEntries([...kept, ...missing]);
  let lost: string | undefined;
  for (;;) {
    const { fault, resolved } = await resolvedFields(draft, type, fields, named);
    fields = resolved;
    if (!fault) return lost === undefined ? { fields } : { fields, lost };
    const { field, message } = fault;
    if (misfits === 'refuse' || field === 'title' || !Object.hasOwn(fields, field)) return { fields, problem: message };
    const { [field]: _, ...others } = fields;
    fields = Object.hasOwn(fill, field) && before[field] !== fill[field] ? { ...others, [field]: fill[field] } : others;
    lost ??= message;
    if (Object.hasOwn(fields, field) && faultOf(type, fields)?.field === field) return { fields, problem: message };
  }
}

/** The fields with what names a node looked up, where that is new to the type; and the first that is not as the type asks. */
async function resolvedFields(
  draft: Draft,
  type: ContentTypeBody,
  fields: Record<string, unknown>,
  named: ReadonlySet<string>,
): Promise<{ resolved: Record<string, unknown>; fault: Fault | undefined }> {
  let resolved = fields;
  for (const name of named) {
    if (!Object.hasOwn(fields, name)) continue;
    try {
      const { [name]: value } = await resolveReferences(draft, type, { [name]: fields[name] }, 'fields');
      if (JSON.stringify(value) !== JSON.stringify(fields[name])) resolved = { ...resolved, [name]: value };
    } catch (error) {
      if (!(error instanceof CloudhalError)) throw error;
      return { resolved: fields, fault: { field: name, message: error.body.message } };
    }
  }
  return { resolved, fault: faultOf(type, resolved) };
}

type Fault = { field: string; message: string };

/** The first field that is not as the type asks. */
function faultOf(type: ContentTypeBody, fields: Record<string, unknown>): Fault | undefined {
  try {
    checkFields(type, fields, 'fields');
    return undefined;
  } catch (error) {
    if (!(error instanceof CloudhalError)) throw error;
    const { path } = error.body.details as { path: string };
    return { field: /^fields\.([^.[]+)/.exec(path)?.[1] ?? '', message: error.body.message };
  }
}

function doNotFit(unfit: readonly Misfit[], entries: number): CloudhalError {
  const named = unfit.slice(0, 5).map(({ id, why }) => `${id}: ${why}`);
  return fail('validation_failed', {
    path: 'ops',
    expected: [`a change that all ${entries} entries can follow; ${unfit.length} cannot`, ...named].join(' | '),
    misfits: unfit.slice(0, 50),
    count: unfit.length,
  });
}
