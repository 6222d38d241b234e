import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Problem } from './problem.tsx';

type ConfirmDialogProps = {
  title: string;
  children: ReactNode;
  /** What the button says that does it. */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something that cannot be taken back, and says what went wrong where it did. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: ConfirmDialogProps) {
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog title={title} isOpen isDecision onClose={onClose}>
      <p>{children}</p>
      {doing.error && <Problem error={doing.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.common.cancel}</Button>
        <Button look="danger" isPending={doing.isPending} onPress={() => doing.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
