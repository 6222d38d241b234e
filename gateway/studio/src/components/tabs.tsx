import { NavLink } from 'react-router';
import styles from './tabs.module.css';

export type TabLink = { to: string; label: string; count?: number; end?: boolean };

/** The parts of a page, each with an address of its own. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ to, label: text, count, end = false }) => (
        <NavLink key={to} to={to} end={end} className={styles.tab!}>
          {text}
          {count !== undefined && count > 0 && <span className={styles.count}>{count}</span>}
        </NavLink>
      ))}
    </nav>
  );
}
