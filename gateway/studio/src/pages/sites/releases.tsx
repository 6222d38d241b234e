import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { type Release, releasesQuery, unschedule } from '../../api/releases.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { releases as texts } from '../../texts/sites.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { useMayChange } from './may.ts';
import { ReleaseCalendar } from './release-calendar.tsx';
import styles from './releases.module.css';
import shared from './sites.module.css';

/** What goes live together, and when. */
export function Releases() {
  const { site = '' } = useParams();
  const { data: releases, error } = useQuery(releasesQuery(site));
  if (error) return <Problem error={error} />;
  if (!releases) return <Skeleton rows={1} height="24rem" />;
  if (releases.length === 0) {
    return (
      <EmptyState icon={CalendarClock} title={texts.empty.title}>
        {texts.empty.text}
      </EmptyState>
    );
  }
  const of = (...states: Release['state'][]) => releases.filter(({ state }) => states.includes(state));
  return (
    <div className={shared.part}>
      <ReleaseCalendar releases={releases} />
      <ReleaseList site={site} title={texts.states.scheduled} releases={of('scheduled')} />
      <ReleaseList site={site} title={texts.others} releases={of('open')} />
      <ReleaseList site={site} title={texts.past} releases={of('released', 'refused')} />
    </div>
  );
}

const tones = { open: 'plain', scheduled: 'accent', released: 'good', refused: 'danger' } as const;

function ReleaseList({ site, title, releases }: { site: string; title: string; releases: Release[] }) {
  if (releases.length === 0) return null;
  return (
    <section className={styles.block}>
      <h2>{title}</h2>
      <ul className={shared.rows}>
        {releases.map((release) => (
          <Row key={release.id} site={site} release={release} />
        ))}
      </ul>
    </section>
  );
}

function Row({ site, release }: { site: string; release: Release }) {
  const { title, items, state, schedule, outcome, conflicts } = release;
  const [isAsking, setAsking] = useState(false);
  const mayChange = useMayChange();
  return (
    <li className={shared.row}>
      <div className={shared.name}>
        <p className={styles.title}>
          <Quoted text={title} />
        </p>
        <p className={shared.facts}>
          {schedule && state === 'scheduled' && (
            <span>
              <Time at={schedule.at} /> {texts.by} <Quoted text={schedule.by} most={40} />
            </span>
          )}
          {outcome && <Time at={outcome.at} />}
          <span>{texts.items(items)}</span>
          {conflicts > 0 && <Badge tone="warn">{texts.conflicts(conflicts)}</Badge>}
        </p>
        {outcome?.error && (
          <p className={shared.facts}>
            <ShownParts text={`${outcome.error.message} ${outcome.error.next}`} />
          </p>
        )}
      </div>
      <div className={shared.does}>
        <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        {mayChange && state === 'scheduled' && (
          <Button size="s" onPress={() => setAsking(true)}>
            {texts.unschedule}
          </Button>
        )}
      </div>
      {isAsking && (
        <ChangeDialog
          title={texts.off.title}
          action={texts.off.action}
          site={site}
          onConfirm={() => unschedule(site, release)}
          onClose={() => setAsking(false)}
        >
          <p>{texts.off.text}</p>
        </ChangeDialog>
      )}
    </li>
  );
}
