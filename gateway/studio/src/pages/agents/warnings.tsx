import { TriangleAlert } from 'lucide-react';
import styles from './warnings.module.css';

/** What a person should think about before they use such a key. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  return warnings.map((warning) => (
    <div key={warning} className={styles.warning} role="note">
      <TriangleAlert aria-hidden="true" />
      <p>{warning}</p>
    </div>
  ));
}
