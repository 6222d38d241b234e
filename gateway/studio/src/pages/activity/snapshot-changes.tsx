import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Changed, snapshotChangesQuery } from '../../api/activity.ts';
import { snapshotPath } from '../../api/history.ts';
import { Button } from '../../components/button.tsx';
import { type Change, Changes } from '../../components/changes.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Problem } from '../../components/problem.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { story as texts } from '../../texts/activity.ts';
import styles from './call-page.module.css';

/** What the call changed: read when one asks for it, as it is a call of its own in the record. */
export function SnapshotChanges({ site, snapshot }: { site: string; snapshot: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={texts.changes}>
      {isOpen && <Differences site={site} snapshot={snapshot} />}
      <div className={styles.buttons}>
        {!isOpen && <Button onPress={() => setOpen(true)}>{texts.showChanges}</Button>}
        <LinkButton to={snapshotPath(site, snapshot)}>{texts.history}</LinkButton>
      </div>
    </Section>
  );
}

function Differences({ site, snapshot }: { site: string; snapshot: string }) {
  const { data, error } = useQuery(snapshotChangesQuery(site, snapshot));
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton rows={1} height="8rem" />;
  if (data.changes.length === 0) return <p>{texts.noChanges}</p>;
  return (
    <>
      <Changes changes={data.changes.map(shown)} />
      {data.isCut && <p className={styles.hidden}>{texts.moreChanges}</p>}
    </>
  );
}

/** Titles and paths are from content, so they are quoted, as in a summary of the server. */
function shown({ title, path, members: _, ...change }: Changed): Change {
  const quoted = (text: string) => `“${text.length > 120 ? `${text.slice(0, 120)}…` : text}”`;
  return {
    ...change,
    ...(title !== undefined && { title: quoted(title) }),
    ...(path !== undefined && { path: quoted(path) }),
  };
}
