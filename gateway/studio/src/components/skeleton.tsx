import { texts } from '../texts/index.ts';
import styles from './skeleton.module.css';

/** Holds the place of what is being read, in the size that it will have, so that nothing jumps. */
export function Skeleton({ rows = 3, height = '5.5rem' }: { rows?: number; height?: string }) {
  return (
    <div className={styles.rows} role="status">
      <span className="visually-hidden">{texts.common.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, which have nothing else
        <div key={row} className={styles.row} style={{ height }} />
      ))}
    </div>
  );
}
