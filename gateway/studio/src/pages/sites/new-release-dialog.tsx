import { useState } from 'react';
import { createRelease } from '../../api/releases.ts';
import { TextField } from '../../components/text-field.tsx';
import { releases } from '../../texts/sites.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { ReleaseItems } from './release-items.tsx';
import { useReleaseItems } from './use-release-items.ts';
import { useRequestId } from './use-request-id.ts';

export function NewReleaseDialog({ site, onClose }: { site: string; onClose: () => void }) {
  const texts = releases.fresh;
  const [title, setTitle] = useState('');
  const [note, setNote] = useState('');
  const { items, put, take } = useReleaseItems([]);
  const requestId = useRequestId();
  return (
    <ChangeDialog
      title={texts.title}
      action={texts.make}
      isDisabled={title.trim() === ''}
      isWide
      site={site}
      onConfirm={() => createRelease(site, { title: title.trim(), note: note.trim(), items }, requestId)}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      <TextField label={texts.name} value={title} onChange={setTitle} isRequired autoFocus maxLength={300} />
      <TextField label={texts.note} hint={texts.noteHint} value={note} onChange={setNote} maxLength={500} />
      <ReleaseItems site={site} items={items} put={put} take={take} />
    </ChangeDialog>
  );
}
