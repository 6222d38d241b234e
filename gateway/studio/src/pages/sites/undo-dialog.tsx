import { useQuery } from '@tanstack/react-query';
import { type Snapshot, undo, undoPlanQuery } from '../../api/history.ts';
import { Changes } from '../../components/changes.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { history } from '../../texts/sites.ts';
import { ChangeDialog } from './change-dialog.tsx';

type UndoDialogProps = { site: string; snapshot: Snapshot; onDone: (said: string) => void; onClose: () => void };

/** Takes one change back, in the draft. */
export function UndoDialog({ site, snapshot: { id }, onDone, onClose }: UndoDialogProps) {
  const texts = history.undoDialog;
  const { data: changes, error } = useQuery(undoPlanQuery(site, id));
  return (
    <ChangeDialog
      title={texts.title}
      action={texts.action}
      isDisabled={!changes || changes.length === 0}
      isWide
      site={site}
      onConfirm={async () => {
        const { changed } = await undo(site, id);
        onDone(changed === false ? texts.nothing : texts.done);
      }}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      {error && <Problem error={error} />}
      {!changes && !error && <Skeleton rows={1} />}
      {changes?.length === 0 && <p>{texts.nothing}</p>}
      {changes && <Changes changes={changes} />}
    </ChangeDialog>
  );
}
