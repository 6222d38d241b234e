import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values; rows that are `false` are left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode] | false)[] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
