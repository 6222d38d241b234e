import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A short word about the state of something. The colour only repeats what the word says. */
export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'warn' | 'danger' | 'accent';
  children: ReactNode;
}) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
