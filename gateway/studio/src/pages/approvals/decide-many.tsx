import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Approval, approve, reject } from '../../api/approvals.ts';
import { ApiError } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { approvals as texts } from '../../texts/approvals.ts';
import { texts as all } from '../../texts/index.ts';
import styles from './decide-many.module.css';
import { RejectDialog } from './reject-dialog.tsx';

/** What was chosen in the list, decided one after the other; each is judged by the server as if it were alone. */
export function DecideMany({ approvals, onClear }: { approvals: Approval[]; onClear: () => void }) {
  const [asking, setAsking] = useState<{ what: 'approve' | 'reject'; items: Approval[] }>();
  return (
    <>
      {approvals.length > 0 && (
        <section className={styles.bar} aria-label={texts.chosen(approvals.length)}>
          <p>{texts.chosen(approvals.length)}</p>
          <Button look="quiet" size="s" onPress={onClear}>
            {texts.clear}
          </Button>
          <Button look="danger" size="s" onPress={() => setAsking({ what: 'reject', items: approvals })}>
            {texts.rejectChosen}
          </Button>
          <Button look="primary" size="s" onPress={() => setAsking({ what: 'approve', items: approvals })}>
            {texts.approveChosen}
          </Button>
        </section>
      )}
      {asking && (
        <Deciding
          {...asking}
          onClose={() => {
            setAsking(undefined);
            onClear();
          }}
          onCancel={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

type DecidingProps = { what: 'approve' | 'reject'; items: Approval[]; onClose: () => void; onCancel: () => void };

function Deciding({ what, items, onClose, onCancel }: DecidingProps) {
  const client = useQueryClient();
  const [said, setSaid] = useState<Record<string, string>>({});
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking');

  const run = async (reason: string) => {
    setState('running');
    for (const { id } of items) {
      const outcome = await (what === 'approve' ? approve(id) : reject(id, reason)).then(
        (decided) =>
          decided.outcome === 'ran'
            ? texts.many.done
            : decided.outcome === 'rejected'
              ? texts.many.rejected
              : texts.many.askedAgain,
        (error: unknown) => (error instanceof ApiError ? error.message : all.errors.unexpected.message),
      );
      setSaid((before) => ({ ...before, [id]: outcome }));
    }
    setState('done');
    await client.invalidateQueries({ queryKey: ['approvals'] });
  };

  if (what === 'reject' && state === 'asking') {
    return (
      <RejectDialog
        title={texts.many.rejectTitle(items.length)}
        isOpen
        isPending={false}
        error={undefined}
        onClose={onCancel}
        onReject={(reason) => void run(reason)}
      />
    );
  }
  return (
    <Dialog
      title={what === 'approve' ? texts.many.title(items.length) : texts.many.rejectTitle(items.length)}
      isOpen
      isDecision
      isWide
      onClose={state === 'asking' ? onCancel : onClose}
    >
      {what === 'approve' && <p>{texts.many.text}</p>}
      <ul className={styles.items} aria-live="polite">
        {items.map(({ id, summary }) => (
          <li key={id}>
            <ShownParts text={summary.title} />
            {said[id] && <span className={styles.said}>{said[id]}</span>}
          </li>
        ))}
      </ul>
      <DialogActions>
        {state === 'done' ? (
          <Button look="primary" onPress={onClose}>
            {all.common.close}
          </Button>
        ) : (
          <>
            <Button isDisabled={state === 'running'} onPress={onCancel}>
              {all.common.cancel}
            </Button>
            <Button look="primary" isPending={state === 'running'} onPress={() => void run('')}>
              {texts.many.action}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
