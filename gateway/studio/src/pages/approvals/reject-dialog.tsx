import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { TextField } from '../../components/text-field.tsx';
import { approvals as texts } from '../../texts/approvals.ts';
import { texts as all } from '../../texts/index.ts';

type RejectDialogProps = {
  title?: string;
  isOpen: boolean;
  isPending: boolean;
  error: unknown;
  onReject: (reason: string) => void;
  onClose: () => void;
};

export function RejectDialog({ title, isOpen, isPending, error, onReject, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState('');
  const { title: usual, text, reason: label, action } = texts.rejectDialog;
  return (
    <Dialog title={title ?? usual} isOpen={isOpen} isDecision onClose={onClose}>
      <p>{text}</p>
      <TextField label={label} rows={3} maxLength={500} value={reason} onChange={setReason} autoFocus />
      {error !== null && error !== undefined && <Problem error={error} />}
      <DialogActions>
        <Button onPress={onClose}>{all.common.cancel}</Button>
        <Button look="danger" isPending={isPending} onPress={() => onReject(reason)}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
