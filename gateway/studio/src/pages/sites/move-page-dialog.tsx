import { useState } from 'react';
import { movePage, type SitePage } from '../../api/pages.ts';
import { TextField } from '../../components/text-field.tsx';
import { page as texts } from '../../texts/pages.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { ParentSelect } from './parent-select.tsx';

type MovePageDialogProps = { site: string; page: SitePage; onClose: () => void };

/** Gives a page another address. */
export function MovePageDialog({ site, page: { id, rev, path, parent: above = '/' }, onClose }: MovePageDialogProps) {
  const [parent, setParent] = useState(above);
  const before = path.slice(path.lastIndexOf('/') + 1);
  const [slug, setSlug] = useState(before);
  return (
    <ChangeDialog
      title={texts.moving.title}
      action={texts.moving.action}
      isDisabled={slug === '' || (slug === before && parent === above)}
      site={site}
      onConfirm={() => movePage({ site, page: id, rev }, { parent, slug })}
      onClose={onClose}
    >
      <p>{texts.moving.text}</p>
      <ParentSelect site={site} value={parent} onChange={setParent} moving={path} />
      <TextField label={texts.fresh.slug} value={slug} onChange={setSlug} maxLength={96} />
    </ChangeDialog>
  );
}
