import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/errors.ts';
import { NotConfirmed } from '../api/tools.ts';
import { texts } from '../texts/index.ts';
import styles from './problem.module.css';

/** A refusal or a fault: what happened, what to do next, and a way to do it. Nothing where a person did not want it after all. */
export function Problem({ error, action }: { error: unknown; action?: ReactNode }) {
  if (error instanceof NotConfirmed) return null;
  const {
    message,
    next,
    call_id: callId,
  } = error instanceof ApiError ? error.body : { ...texts.errors.unexpected, call_id: undefined };
  return (
    <div className={styles.problem} role="alert">
      <CircleAlert aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.message}>{message}</p>
        <p>{next}</p>
        {callId && <p className={styles.call}>{texts.errors.callId(callId)}</p>}
        {action}
      </div>
    </div>
  );
}
