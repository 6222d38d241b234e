import { unpublish } from '../../api/content.ts';
import { publishing } from '../../texts/sites.ts';
import { ChangeDialog } from './change-dialog.tsx';

type UnpublishDialogProps = { site: string; node: { id: string; rev: number }; onClose: () => void };

/** Takes one node off the site, once the person knows that its draft stays. */
export function UnpublishDialog({ site, node: { id, rev }, onClose }: UnpublishDialogProps) {
  const { title, text, action } = publishing.off;
  return (
    <ChangeDialog
      title={title}
      action={action}
      look="danger"
      site={site}
      onConfirm={() => unpublish(site, id, rev)}
      onClose={onClose}
    >
      <p>{text}</p>
    </ChangeDialog>
  );
}
