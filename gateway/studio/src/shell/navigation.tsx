import { NavLink } from 'react-router';
import { type PageRoute, pages } from '../routes.tsx';
import { texts } from '../texts/index.ts';
import styles from './shell.module.css';

/** At the side of a wide screen, at the foot of a phone. */
export function Navigation() {
  return (
    <nav className={styles.nav} aria-label={texts.shell.navigation}>
      <ul>
        {pages.map(
          ({ path, nav }) => nav && <NavigationItem key={path} to={`/${path.replace(/\/\*$/, '')}`} nav={nav} />,
        )}
      </ul>
    </nav>
  );
}

function NavigationItem({
  to,
  nav: { label, icon: Icon, useCount = none },
}: {
  to: string;
  nav: NonNullable<PageRoute['nav']>;
}) {
  const count = useCount();
  return (
    <li>
      <NavLink to={to} className={styles.link!}>
        <Icon aria-hidden="true" />
        <span className={styles.label}>{label}</span>
        {count > 0 && (
          <span className={styles.count}>
            <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
            <span className="visually-hidden">, {texts.shell.waiting(count)}</span>
          </span>
        )}
      </NavLink>
    </li>
  );
}

const none = () => 0;
