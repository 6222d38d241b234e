import { Fragment } from 'react';
import { texts } from '../texts/index.ts';
import styles from './quoted.module.css';
import { type Part, partsOf } from './quoted-parts.ts';

/** Foreign text with everything in it visible, and nothing around it. For what is quoted already: a diff, a server's summary. */
export function ShownParts({ text }: { text: string }) {
  return <bdi className={styles.words}>{partsOf(text).map(Shown)}</bdi>;
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
