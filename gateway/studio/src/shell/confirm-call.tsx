import { useEffect, useRef, useState } from 'react';
import { type Question, whenCallNeedsConfirmation } from '../api/tools.ts';
import { Button } from '../components/button.tsx';
import { type Change, Changes } from '../components/changes.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { ShownParts } from '../components/shown-parts.tsx';
import { texts } from '../texts/index.ts';
import styles from './confirm-call.module.css';

/** Shows a person what their own call would do, where it is of the kind that always needs a person. */
export default function ConfirmCall() {
  const [question, setQuestion] = useState<Question>();
  const answer = useRef<(confirmed: boolean) => void>(undefined);

  useEffect(() => {
    whenCallNeedsConfirmation(
      (asked) =>
        new Promise((resolve) => {
          answer.current = resolve;
          setQuestion(asked);
        }),
    );
    return () => whenCallNeedsConfirmation(undefined);
  }, []);

  const close = (confirmed: boolean) => {
    setQuestion(undefined);
    answer.current?.(confirmed);
    answer.current = undefined;
  };
  if (!question) return null;
  const { confirm, another } = texts.shell.confirmCall;
  const { title, lines, diff = [] } = question.summary;
  return (
    <Dialog title={texts.shell.confirmCall.title} isOpen isDecision isWide onClose={() => close(false)}>
      <p className={styles.title}>
        <ShownParts text={title} />
      </p>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line}>
            <ShownParts text={line} />
          </li>
        ))}
      </ul>
      {diff.length > 0 && <Changes changes={diff as Change[]} />}
      {question.needsAnother && <p>{another}</p>}
      <DialogActions>
        <Button onPress={() => close(false)}>{question.needsAnother ? texts.common.close : texts.common.cancel}</Button>
        {!question.needsAnother && (
          <Button look="primary" onPress={() => close(true)}>
            {confirm}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
