import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type NewKey, rotateKey } from '../../api/agents.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { Select } from '../../components/select.tsx';
import { keyForm, keyPage } from '../../texts/agents.ts';
import { texts as all } from '../../texts/index.ts';
import { lifetimes } from './key-form.tsx';

type RotateDialogProps = {
  id: string;
  /** Its old secret is refused already: what is asked is how long the new one is good. */
  isExpired: boolean;
  onMade: (made: NewKey) => void;
  onClose: () => void;
};

/** Asks how long the old secret stays good, or until when a key is renewed, then makes the new one. */
export function RotateDialog({ id, isExpired, onMade, onClose }: RotateDialogProps) {
  const texts = isExpired ? keyPage.renewDialog : keyPage.rotateDialog;
  const { overlap, overlaps, overlapHint } = keyPage.rotateDialog;
  const client = useQueryClient();
  const [hours, setHours] = useState('4');
  const [days, setDays] = useState('90');
  const rotating = useMutation({
    mutationFn: () => rotateKey(id, isExpired ? { expiresInDays: Number(days) } : { overlapHours: Number(hours) }),
    onSuccess: onMade,
    onSettled: () => client.invalidateQueries({ queryKey: ['agent-keys'] }),
  });
  return (
    <Dialog title={texts.title} isOpen isDecision onClose={onClose}>
      <p>{texts.text}</p>
      {isExpired ? (
        <Select
          label={keyForm.expiry}
          value={days}
          onChange={setDays}
          options={lifetimes.map((many) => ({ value: String(many), label: keyForm.days(many) }))}
        />
      ) : (
        <Select
          label={overlap}
          hint={overlapHint}
          value={hours}
          onChange={setHours}
          options={Object.entries(overlaps).map(([value, label]) => ({ value, label }))}
        />
      )}
      {rotating.error && <Problem error={rotating.error} />}
      <DialogActions>
        <Button onPress={onClose}>{all.common.cancel}</Button>
        <Button look="primary" isPending={rotating.isPending} onPress={() => rotating.mutate()}>
          {texts.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
