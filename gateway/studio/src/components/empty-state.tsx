import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** What a page says where there is nothing yet: what will be here, and how it gets here. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <section className={styles.empty}>
      <Icon aria-hidden="true" className={styles.icon} />
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </section>
  );
}
