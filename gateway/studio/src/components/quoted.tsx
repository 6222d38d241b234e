import { Fragment, useState } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './quoted.module.css';
import { cap, type Part, partsOf } from './quoted-parts.ts';

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
  const words = (
    <bdi className={styles.words}>
      {partsOf(shown).map(Shown)}
      {hidden > 0 && '…'}
    </bdi>
  );
  if (as === 'inline') {
    return (
      <q className={styles.inline} {...(hidden > 0 && { title: texts.common.showAll(text.length) })}>
        {words}
      </q>
    );
  }
  return (
    <blockquote className={styles.block}>
      <div className={whole ? styles.scroll : undefined} {...(whole && { tabIndex: 0, role: 'group' })}>
        {words}
      </div>
      {(hidden > 0 || whole) && (
        <Button look="quiet" size="s" onPress={() => setWhole(!whole)}>
          {whole ? texts.common.showLess : texts.common.showAll(text.length)}
        </Button>
      )}
    </blockquote>
  );
}

function Shown(part: Part, index: number) {
  if ('text' in part) return <Fragment key={index}>{part.text}</Fragment>;
  return (
    <span key={index} className={styles.mark} title={part.name}>
      <span className="visually-hidden">{texts.common.hiddenCharacter(part.name)}</span>
      <span aria-hidden="true">{part.mark}</span>
    </span>
  );
}
