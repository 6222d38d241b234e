import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Entry, entryQuery, saveEntry } from '../../api/content.ts';
import { codeOf } from '../../api/errors.ts';
import { changeOf, isChanged, mergeEntry, type Written } from './merge-entry.ts';

type Kept = { read: Entry; written: Written };

/** What was written and not saved, for who comes back to the page. */
const unsaved = new Map<string, Kept>();

/**
 * What a person writes, against the rev that they read. A newer rev is taken over where nothing was written; else it is a
 * conflict, which the person settles: nothing of theirs is lost, and nothing newer is overwritten unseen.
 */
export function useWritten(site: string, newest: Entry) {
  const client = useQueryClient();
  const place = `${site} ${newest.id}`;
  const [{ read, written }, setKept] = useState<Kept>(() => unsaved.get(place) ?? { read: newest, written: newest });
  const change = changeOf(read, written);
  const hasChanges = isChanged(read, written);
  const isOvertaken = newest.rev > read.rev;
  if (isOvertaken && !hasChanges) setKept({ read: newest, written: newest });

  useEffect(() => {
    if (!hasChanges) {
      unsaved.delete(place);
      return;
    }
    unsaved.set(place, { read, written });
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [hasChanges, place, read, written]);

  const saving = useMutation({
    mutationFn: () => saveEntry(site, read.id, read.rev, change),
    onSuccess: ({ data }) => {
      const { fields, body } = written;
      const saved = { ...read, fields, body, rev: data.rev, isImported: false };
      client.setQueryData(entryQuery(site, read.id).queryKey, saved);
      setKept((now) => ({ read: saved, written: now.written }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['sites', site] }),
  });

  return {
    read,
    written,
    hasChanges,
    /** The newer version that stands against what was written. */
    theirs: isOvertaken && hasChanges ? newest : undefined,
    isSaving: saving.isPending,
    isSaved: saving.isSuccess && !hasChanges,
    // A conflict is shown as one, not as a refusal.
    error: codeOf(saving.error) === 'rev_conflict' ? undefined : saving.error,
    save: () => saving.mutate(),
    write: (next: Partial<Written>) => setKept({ read, written: { ...written, ...next } }),
    discard: () => setKept({ read: newest, written: newest }),
    /** Goes on from the newest version with what was written put into it. */
    settle: () => setKept({ read: newest, written: mergeEntry(read, written, newest) }),
  };
}
