import { createHash } from 'node:crypto';
import { fail } from '@cloudhal/shared/errors';
import type { Correction } from '@cloudhal/shared/site/correction';
import type { Draft } from '../graph/draft.ts';
import type { GraphNode } from '../graph/node.ts';

const mostCorrections = 100;

/**
 * Appends a correction to an entry. It is part of the entry, so it is published, compared and rolled back with it; that it
 * was ever made is kept beside the tree.
 */
export async function addCorrection(
  draft: Draft,
  entry: GraphNode<'entry'>,
  rev: number,
  correction: Omit<Correction, 'id'>,
): Promise<{ node: GraphNode<'entry'>; id: string }> {
  const id = correctionId(entry.id, rev, correction);
  const node = await draft.save('entry', entry.id, rev, ({ corrections = [], ...body }) => {
    if (corrections.length >= mostCorrections) {
      throw fail('limit_exceeded', { what: 'The number of corrections', max: mostCorrections });
    }
    return { ...body, corrections: [...corrections, { id, ...correction }] };
  });
  const { kind, text, correctedAt } = correction;
  draft.write(
    `INSERT INTO tools.correction (site_id, id, entry_id, kind, text, corrected_at, seq)
     SELECT $1, $2, $3, $4, $5, $6, head_seq FROM tools.site WHERE id = $1`,
    [id, entry.id, kind, text, correctedAt],
  );
  return { node, id };
}

/** The same correction of the same rev has the same id: what a person approves is what is made. */
function correctionId(entry: string, rev: number, { kind, text, correctedAt }: Omit<Correction, 'id'>): string {
  const made = JSON.stringify([entry, rev, kind, text, correctedAt]);
  return `co_${createHash('sha256').update(made).digest('hex').slice(0, 26)}`;
}
