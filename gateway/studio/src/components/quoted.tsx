import { useState } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './quoted.module.css';
import { cap } from './quoted-parts.ts';
import { ShownParts } from './shown-parts.tsx';

type QuotedProps = {
  /** From an agent or a stranger: a name, a title, a reason, a comment. */
  text: string;
  /** `inline` in a sentence, `block` on its own lines. */
  as?: 'inline' | 'block';
  /** Characters that are shown before the reader asks for all. */
  most?: number;
};

/**
 * The one way in which Studio shows words that are not its own. They are marked as quoted, keep their direction to
 * themselves, are cut where they are long, and nothing in them is invisible.
 */
export function Quoted({ text, as = 'inline', most = as === 'inline' ? 120 : 600 }: QuotedProps) {
  const [whole, setWhole] = useState(false);
  const { shown, hidden } = whole ? { shown: text, hidden: 0 } : cap(text, most);
  const words = <ShownParts text={hidden > 0 ? `${shown}…` : shown} />;
  if (as === 'inline') {
    return <q className={styles.inline}>{words}</q>;
  }
  return (
    <blockquote className={styles.block}>
      {whole ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={texts.common.quoted}>
          {words}
        </section>
      ) : (
        words
      )}
      {(hidden > 0 || whole) && (
        <Button look="quiet" size="s" onPress={() => setWhole(!whole)}>
          {whole ? texts.common.showLess : texts.common.showAll(text.length)}
        </Button>
      )}
    </blockquote>
  );
}
