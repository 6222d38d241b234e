import { useMemo, useState } from 'react';
import { changes as texts } from '../texts/changes.ts';
import { changedWords } from './changed-words.ts';
import { Choice } from './choice.tsx';
import { ShownParts } from './shown-parts.tsx';
import styles from './text-diff.module.css';
import { type Block, type Hunk, hunksOf } from './text-diff-blocks.ts';

type View = 'reading' | 'sides' | 'lines';
/** Characters of one change in which single words are compared. */
const mostForWords = 20_000;

/** What a text loses and gains: as one reads it, side by side where there is room, or line by line. */
export function TextDiff({ patch }: { patch: string }) {
  const [view, setView] = useState<View>('reading');
  const hunks = useMemo(() => hunksOf(patch), [patch]);
  return (
    <div className={styles.diff}>
      <Choice
        label={texts.view}
        value={view}
        onChange={setView}
        options={[
          { value: 'reading', label: texts.reading },
          { value: 'sides', label: texts.sides, onlyWide: true },
          { value: 'lines', label: texts.lines },
        ]}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: no landmark, since a page has many of them; and no fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div role="group" className={styles.hunks} tabIndex={0} aria-label={texts.text}>
        {hunks.map((hunk, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places of one text that does not change
          <div key={index} className={styles.hunk}>
            {view === 'sides' ? (
              <Sides hunk={hunk} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: places of one text that does not change
              hunk.map((block, at) => <Shown key={at} block={block} view={view} />)
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function Shown({ block, view }: { block: Block; view: View }) {
  if ('same' in block)
    return (
      <p className={view === 'lines' ? styles.line : styles.prose}>
        <ShownParts text={joined(block.same)} />
      </p>
    );
  if (view === 'lines') {
    return (
      <>
        {block.before.length > 0 && (
          <del className={styles.line}>
            <ShownParts text={joined(block.before)} />
          </del>
        )}
        {block.after.length > 0 && (
          <ins className={styles.line}>
            <ShownParts text={joined(block.after)} />
          </ins>
        )}
      </>
    );
  }
  return (
    <p className={styles.prose}>
      <Words before={joined(block.before)} after={joined(block.after)} show="both" />
    </p>
  );
}

function Sides({ hunk }: { hunk: Hunk }) {
  return (
    <div className={styles.sides}>
      <h4>{texts.before}</h4>
      <h4>{texts.after}</h4>
      {hunk.map((block, index) => {
        const [before, after] = 'same' in block ? [block.same, block.same] : [block.before, block.after];
        const [left, right] = [joined(before), joined(after)];
        const isSame = 'same' in block;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: places of one text that does not change
          <div key={index} className={styles.pair}>
            <p className={styles.prose}>
              {isSame ? <ShownParts text={left} /> : <Words before={left} after={right} show="before" />}
            </p>
            <p className={styles.prose}>
              {isSame ? <ShownParts text={right} /> : <Words before={left} after={right} show="after" />}
            </p>
          </div>
        );
      })}
    </div>
  );
}

function Words({ before, after, show }: { before: string; after: string; show: 'before' | 'after' | 'both' }) {
  const pieces = useMemo(
    () =>
      before.length + after.length > mostForWords
        ? [
            { value: before, removed: true, added: false },
            { value: after, removed: false, added: true },
          ]
        : changedWords(before, after),
    [before, after],
  );
  return pieces.map(({ value, added, removed }, index) => {
    if (value === '' || (added && show === 'before') || (removed && show === 'after')) return null;
    const Tag = added ? 'ins' : removed ? 'del' : 'span';
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: places of one text that does not change
      <Tag key={index}>
        <ShownParts text={value} />
      </Tag>
    );
  });
}

/** An empty line at the end is one only with another line end after it. */
function joined(lines: readonly string[]): string {
  const text = lines.join('\n');
  return lines.length > 1 && lines.at(-1) === '' ? `${text}\n` : text;
}
