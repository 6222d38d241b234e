import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';

type FormActionsProps = { isSending: boolean; isDisabled?: boolean; onCancel: () => void; children: ReactNode };

/** How a form in a dialog ends: given up, or sent. */
export function FormActions({ isSending, isDisabled = false, onCancel, children }: FormActionsProps) {
  return (
    <DialogActions>
      <Button onPress={onCancel}>{texts.common.cancel}</Button>
      <Button type="submit" look="primary" isPending={isSending} isDisabled={isDisabled}>
        {children}
      </Button>
    </DialogActions>
  );
}
