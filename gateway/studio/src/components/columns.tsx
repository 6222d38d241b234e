import type { ReactNode } from 'react';
import styles from './columns.module.css';

/** A page about one thing: its story, and beside it the `aside` with the facts, one below the other where it is narrow. */
export function Columns({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      {aside}
    </div>
  );
}
