import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { EntryChange } from '../../api/content.ts';
import { codeOf } from '../../api/errors.ts';
import { changeOf, isChanged, mergeEntry, type Version, type Written } from './merge-entry.ts';

type Kept = { read: Version; written: Written };

/** What was written and not saved, for who comes back to the page. */
const unsaved = new Map<string, Kept>();

export const unsavedAt = (place: string): Kept | undefined => unsaved.get(place);
export const forgetUnsaved = (place: string) => unsaved.delete(place);

type Edited = {
  site: string;
  /** Names what is edited. */
  place: string;
  newest: Version;
  /** Saves a change of the rev that was read; another rev is `rev_conflict`. Resolves to the new rev. */
  save: (rev: number, change: EntryChange) => Promise<number>;
};

/**
 * What a person writes, against the rev that they read. A newer rev is taken over where nothing was written, or where it
 * changed nothing of this; else it is a conflict, which the person settles: nothing of theirs is lost, and nothing newer is
 * overwritten unseen.
 */
export function useWritten({ site, place, newest, save }: Edited) {
  const client = useQueryClient();
  const [{ read, written }, setKept] = useState<Kept>(() => unsaved.get(place) ?? { read: newest, written: newest });
  const hasChanges = isChanged(read, written);
  const isOvertaken = newest.rev > read.rev;
  if (isOvertaken && !hasChanges) setKept({ read: newest, written: newest });
  else if (isOvertaken && !isChanged(read, newest)) setKept({ read: newest, written });

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
    mutationFn: (sent: Written) => save(read.rev, changeOf(read, sent)),
    // What was typed meanwhile was not sent: it stays to be saved.
    onSuccess: (rev, sent) => setKept((now) => ({ read: { ...sent, rev }, written: now.written })),
    onSettled: () => client.invalidateQueries({ queryKey: ['sites', site] }),
  });

  const theirs = isOvertaken && hasChanges && isChanged(read, newest) ? newest : undefined;
  const isRefused = codeOf(saving.error) === 'rev_conflict';
  return {
    read,
    written,
    hasChanges,
    /** The newer version that stands against what was written. */
    theirs,
    isSaving: saving.isPending,
    isSaved: saving.isSuccess && !hasChanges,
    /** Something newer was there, and nothing in it stands against what was written. */
    hasToSaveAgain: isRefused && hasChanges && !theirs,
    // A conflict is shown as one, not as a refusal.
    error: isRefused ? undefined : saving.error,
    save: () => saving.mutate(written),
    write: (next: Partial<Written>) => setKept({ read, written: { ...written, ...next } }),
    discard: () => setKept({ read: newest, written: newest }),
    /** Goes on from the newest version with what was written put into it. */
    settle: () => setKept({ read: newest, written: mergeEntry(read, written, newest) }),
  };
}
