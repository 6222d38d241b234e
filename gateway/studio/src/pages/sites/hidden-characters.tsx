import { partsOf } from '../../components/quoted-parts.ts';
import { entries as texts } from '../../texts/sites.ts';
import styles from './entry-page.module.css';

/** Says that a text which is being edited has characters that its field does not show. */
export function HiddenCharacters({ text }: { text: string }) {
  const count = partsOf(text).filter((part) => 'mark' in part).length;
  return count === 0 ? null : <p className={styles.hidden}>{texts.page.hidden(count)}</p>;
}
