import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './card.module.css';

type CardProps = {
  /** What it is chosen with, before everything else. */
  choice?: ReactNode;
  isChosen?: boolean | undefined;
  children: ReactNode;
};

/** One thing in a list of them. All of it leads where its title does. */
export function Card({ choice, isChosen, children }: CardProps) {
  return (
    <article className={styles.card} data-chosen={isChosen}>
      {choice}
      <div className={styles.body}>{children}</div>
    </article>
  );
}

export function CardTitle({ to, children }: { to: string; children: ReactNode }) {
  return (
    <h2 className={styles.title}>
      <Link to={to}>{children}</Link>
    </h2>
  );
}

/** What else is to say of it, in small. */
export function CardFacts({ children }: { children: ReactNode }) {
  return <p className={styles.facts}>{children}</p>;
}
