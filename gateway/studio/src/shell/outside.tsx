import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './outside.module.css';

/** The frame of a page for who is not signed in: one thing to do, in the middle. */
export function Outside({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <main className={styles.outside}>
      <title>{`${title} · ${texts.common.brand}`}</title>
      <div className={styles.card}>
        <p className={styles.brand}>{texts.common.product}</p>
        <header className={styles.header}>
          <h1>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </header>
        {children}
      </div>
    </main>
  );
}
