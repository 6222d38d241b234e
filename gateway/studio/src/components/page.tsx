import { type ReactNode, useEffect } from 'react';
import { useWaitingCount } from '../api/waiting.ts';
import { texts } from '../texts/index.ts';
import styles from './page.module.css';

type PageProps = {
  title: ReactNode;
  /** Of the window, where the page's own title is not Studio's to say. */
  windowTitle?: string;
  /** Above the title: the way back. */
  before?: ReactNode;
  /** One sentence under the title. */
  lead?: ReactNode;
  /** What can be done on this page, at the right of its title. */
  actions?: ReactNode;
  /** For tables and diffs. */
  wide?: boolean;
  children: ReactNode;
};

/** A page of Studio: one title, which the window has too, and what is below it. */
export function Page({ title, windowTitle = String(title), before, lead, actions, wide = false, children }: PageProps) {
  const waiting = useWaitingCount();
  useEffect(() => {
    document.title = texts.common.windowTitle(windowTitle, waiting);
  }, [windowTitle, waiting]);
  return (
    <div className={wide ? `${styles.page} ${styles.wide}` : styles.page}>
      <header className={styles.header}>
        <div className={styles.heading}>
          {before}
          <h1>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
