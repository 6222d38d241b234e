import { useQuery } from '@tanstack/react-query';
import { createTwoFilesPatch } from 'diff';
import { useEffect, useId, useRef } from 'react';
import { revisionsSince } from '../../api/content.ts';
import { said } from '../../api/history.ts';
import { useWriters } from '../../api/naming.ts';
import { slugsOf, taxonomyOf } from '../../api/term-refs.ts';
import { Button } from '../../components/button.tsx';
import { type Change, Changes } from '../../components/changes.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Time } from '../../components/time.tsx';
import { entries } from '../../texts/sites.ts';
import styles from './entry-page.module.css';
import { changeOf, mergeEntry, type Version, type Written } from './merge-entry.ts';

type ConflictProps = {
  site: string;
  /** The id of what is edited, or of the page that it is on. */
  node: string;
  read: Version;
  mine: Written;
  theirs: Version;
  onSettle: (hasClashes: boolean) => void;
  onTakeTheirs: () => void;
};

/** Shows what somebody else changed beside what the person did, and asks how to go on. */
export function Conflict({ site, node, read, mine, theirs, onSettle, onTakeTheirs }: ConflictProps) {
  const texts = entries.conflict;
  const { clashes } = mergeEntry(read, mine, theirs);
  const hasClashes = clashes.length > 0;
  const heading = useRef<HTMLHeadingElement>(null);
  const label = useId();
  // In braces: browsers answer with a promise by now, which is no clean-up.
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <section className={styles.conflict} role="alert" aria-labelledby={label}>
      <div className={styles.side}>
        <h2 id={label} ref={heading}>
          {texts.title}
        </h2>
        <p>{texts.text}</p>
        <Who site={site} node={node} rev={read.rev} newest={theirs.rev} />
      </div>
      <div className={styles.sides}>
        <Side title={texts.theirs} site={site} before={read} after={theirs} id={node} />
        <Side title={texts.yours} site={site} before={read} after={mine} id={node} />
      </div>
      <p>{hasClashes ? texts.clash : texts.bothText}</p>
      <div className={styles.ways}>
        <Button look="primary" onPress={() => onSettle(hasClashes)}>
          {hasClashes ? texts.mine : texts.both}
        </Button>
        <Button look="danger" onPress={onTakeTheirs}>
          {texts.take}
        </Button>
      </div>
    </section>
  );
}

function Who({ site, node, rev, newest }: { site: string; node: string; rev: number; newest: number }) {
  const texts = entries.conflict;
  const { data = [] } = useQuery({
    queryKey: ['sites', site, 'revisions', node, rev, newest],
    queryFn: () => revisionsSince(site, node, rev),
  });
  return (
    <ul className={styles.who}>
      {data.map(({ rev: at, actor, tool, at: time }) => (
        <li key={at}>
          {texts.by} <Quoted text={actor} most={60} /> {texts.with} <code>{tool}</code>, <Time at={time} />
        </li>
      ))}
    </ul>
  );
}

type SideProps = { title: string; site: string; before: Written; after: Written; id: string };

function Side({ title, site, before, after, id }: SideProps) {
  const { nameOf } = useWriters(site);
  const change = changeShown(id, before, after, nameOf);
  const isEmpty = change.body === undefined && change.values?.length === 0;
  return (
    <div className={styles.side}>
      <h3>{title}</h3>
      {isEmpty ? <p>{entries.conflict.nothing}</p> : <Changes changes={[change]} isPart />}
    </div>
  );
}

function changeShown(id: string, before: Written, after: Written, nameOf: (person: string) => string): Change {
  const { set = {}, unset = [], body, terms = { add: [], remove: [] }, bylines } = changeOf(before, after);
  const taxonomies = new Set([...terms.add, ...terms.remove].map(taxonomyOf));
  const value = (member: string, of: (version: Written) => unknown) => {
    const [old, fresh] = [of(before), of(after)];
    return {
      member,
      ...(old !== undefined && { before: said(old) }),
      ...(fresh !== undefined && { after: said(fresh) }),
    };
  };
  return {
    id,
    kind: 'entry',
    change: 'changed',
    values: [
      ...[...Object.keys(set), ...unset].map((name) => value(name, (version) => version.fields[name])),
      ...[...taxonomies].map((name) => value(name, (version) => listed(slugsOf(version.terms, name)))),
      ...(bylines ? [value(entries.page.bylines, (version) => listed(version.bylines.map(nameOf)))] : []),
    ],
    ...(body !== undefined && {
      body: createTwoFilesPatch('before', 'after', before.body, after.body, undefined, undefined, { context: 1 }),
    }),
  };
}

const listed = (names: string[]) => (names.length > 0 ? names.join(', ') : undefined);
