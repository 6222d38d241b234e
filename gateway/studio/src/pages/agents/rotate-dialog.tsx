import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type NewKey, rotateKey } from '../../api/agents.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { Select } from '../../components/select.tsx';
import { keyPage } from '../../texts/agents.ts';
import { texts as all } from '../../texts/index.ts';

/** Asks how long the old secret stays good, then makes the new one. */
export function RotateDialog({
  id,
  onMade,
  onClose,
}: {
  id: string;
  onMade: (made: NewKey) => void;
  onClose: () => void;
}) {
  const texts = keyPage.rotateDialog;
  const client = useQueryClient();
  const [overlap, setOverlap] = useState('4');
  const rotating = useMutation({
    mutationFn: () => rotateKey(id, Number(overlap)),
    onSuccess: onMade,
    onSettled: () => client.invalidateQueries({ queryKey: ['agent-keys'] }),
  });
  return (
    <Dialog title={texts.title} isOpen isDecision onClose={onClose}>
      <p>{texts.text}</p>
      <Select
        label={texts.overlap}
        hint={texts.overlapHint}
        value={overlap}
        onChange={setOverlap}
        options={Object.entries(texts.overlaps).map(([value, label]) => ({ value, label }))}
      />
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
