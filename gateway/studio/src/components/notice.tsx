import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** Says what came of something; read out as soon as it is there. */
export function Notice({ tone = 'good', children }: { tone?: 'good' | 'warn'; children: ReactNode }) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role="status">
      {tone === 'good' && <CircleCheck aria-hidden="true" />}
      <div>{children}</div>
    </div>
  );
}
