import type { ReactNode } from 'react';
import styles from './section.module.css';

/** A part of a page with a title of its own. */
export function Section({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <header className={styles.head}>
        <div>
          <h2>{title}</h2>
          {text && <p className={styles.text}>{text}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}
