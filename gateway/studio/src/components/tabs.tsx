import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import styles from './tabs.module.css';

export type TabLink = { to: string; label: string; count?: number; end?: boolean };

/** The parts of a page, each with an address of its own. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // Where there is no room for all, the one that is open is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each page that is opened
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav ref={nav} aria-label={label} className={styles.tabs}>
      {tabs.map(({ to, label: text, count, end = false }) => (
        <NavLink key={to} to={to} end={end} className={styles.tab!}>
          {text}
          {count !== undefined && count > 0 && <span className={styles.count}>{count}</span>}
        </NavLink>
      ))}
    </nav>
  );
}
