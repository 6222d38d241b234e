import { changes as texts } from '../texts/changes.ts';
import { Badge } from './badge.tsx';
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
  values?: { member: string; before?: string; after?: string }[];
};

const tones = { added: 'good', removed: 'danger', changed: 'accent' } as const;

/**
 * What changes, node by node, as the server computed it. `aside` is shown beside the head of each; with `isPart` there is no
 * head, since what is around says what it is.
 */
export function Changes({
  changes,
  aside,
  isPart = false,
}: {
  changes: readonly Change[];
  aside?: (change: Change) => React.ReactNode;
  isPart?: boolean;
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
          {change.values && change.values.length > 0 && <Values values={change.values} />}
          {change.body && <TextDiff patch={change.body} />}
        </li>
      ))}
    </ol>
  );
}

function Values({ values }: { values: NonNullable<Change['values']> }) {
  return (
    <dl className={styles.values}>
      {values.map(({ member, before, after }) => (
        <div key={member}>
          <dt>
            <ShownParts text={member.replace(/^"(.*)"$/s, '$1')} />
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
