import type { ReactNode } from 'react';
import styles from './rows.module.css';

/** A list whose rows have words at the left and what can be done at the right. */
export function Rows({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  );
}

export function Row({ title, facts, children }: { title: ReactNode; facts?: ReactNode; children?: ReactNode }) {
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {facts && <p className={styles.facts}>{facts}</p>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </li>
  );
}
