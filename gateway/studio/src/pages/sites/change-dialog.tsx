import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { texts as all } from '../../texts/index.ts';

type ChangeDialogProps = {
  title: string;
  children: ReactNode;
  action: string;
  look?: 'primary' | 'danger';
  /** Nothing can be done as it is. */
  isDisabled?: boolean;
  isWide?: boolean;
  /** The key below which everything is read again afterwards. */
  site: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something is done to a site, does it, and goes; a refusal stays to be read. */
export function ChangeDialog(props: ChangeDialogProps) {
  const {
    title,
    children,
    action,
    look = 'primary',
    isDisabled = false,
    isWide = false,
    site,
    onConfirm,
    onClose,
  } = props;
  const client = useQueryClient();
  const doing = useMutation({
    mutationFn: onConfirm,
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: ['sites', site] }),
  });
  return (
    <Dialog title={title} isOpen isDecision isWide={isWide} onClose={onClose}>
      {children}
      {doing.error && <Problem error={doing.error} />}
      <DialogActions>
        <Button onPress={onClose}>{all.common.cancel}</Button>
        <Button look={look} isPending={doing.isPending} isDisabled={isDisabled} onPress={() => doing.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
