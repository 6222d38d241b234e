import { useWriters } from '../api/naming.ts';
import { changes as texts } from '../texts/changes.ts';
import { Badge } from './badge.tsx';
import { inWords, type Value } from './change-words.ts';
import styles from './changes.module.css';
import { ShownParts } from './shown-parts.tsx';
import { TextDiff } from './text-diff.tsx';

/** One node of a server-made diff. Strings from content come quoted, in the server's own marks. */
export type Change = {
  id: string;
  kind: string;
  change: 'added' | 'removed' | 'changed';
  track?: 'draft' | 'live';
  title?: string;
  path?: string;
  /** A unified diff of its text. */
  body?: string;
  values?: Value[];
};

const tones = { added: 'good', removed: 'danger', changed: 'accent' } as const;

/**
 * What changes, node by node, as the server computed it. `aside` is shown beside the head of each; with `isPart` there is no
 * head, since what is around says what it is. Of a `site`, people are called by their names.
 */
export function Changes({
  changes,
  aside,
  isPart = false,
  site,
}: {
  changes: readonly Change[];
  aside?: (change: Change) => React.ReactNode;
  isPart?: boolean;
  site?: string | undefined;
}) {
  return (
    <ol className={styles.list}>
      {changes.map((change) => (
        <li key={`${change.track}:${change.id}`} className={styles.node}>
          {!isPart && (
            <div className={styles.head}>
              <div className={styles.name}>
                <h3>
                  <ShownParts text={change.title ?? change.path ?? change.id} />
                </h3>
                <p className={styles.where}>
                  <Badge tone={tones[change.change]}>{texts.changed[change.change]}</Badge>
                  <span>{texts.kindOn(change.kind, change.track)}</span>
                  {change.path && change.title && <ShownParts text={change.path} />}
                </p>
              </div>
              {aside?.(change)}
            </div>
          )}
          {change.values && change.values.length > 0 && <Values values={change.values} site={site} />}
          {change.body && <TextDiff patch={change.body} />}
        </li>
      ))}
    </ol>
  );
}

function Values({ values, site }: { values: readonly Value[]; site: string | undefined }) {
  const namesPeople = values.some(({ member }) => member === '"bylines"');
  const { nameOf } = useWriters(namesPeople ? site : undefined);
  return (
    <dl className={styles.values}>
      {inWords(values, nameOf).map(({ of, member, before, after }) => (
        <div key={of}>
          <dt>
            <ShownParts text={member} />
          </dt>
          <dd>
            {before !== undefined && (
              <del>
                <ShownParts text={before} />
              </del>
            )}
            {before !== undefined && after !== undefined && <span aria-hidden="true"> → </span>}
            {after !== undefined && (
              <ins>
                <ShownParts text={after} />
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
