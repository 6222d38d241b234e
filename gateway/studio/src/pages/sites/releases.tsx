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
import { PublishDialog } from './publish-dialog.tsx';
import { ReleaseCalendar } from './release-calendar.tsx';
import styles from './releases.module.css';
import { ScheduleDialog } from './schedule-dialog.tsx';
import shared from './sites.module.css';

/** What goes live together, and when. */
export function Releases() {
  const { site = '' } = useParams();
  const { data: releases, error } = useQuery(releasesQuery(site));
  // Kept here: what was done moves the release to another list.
  const [asking, setAsking] = useState<Asking>();
  if (error) return <Problem error={error} />;
  if (!releases) return <Skeleton rows={1} height="24rem" />;
  if (releases.length === 0) {
    return (
      <EmptyState icon={CalendarClock} title={texts.empty.title}>
        {texts.empty.text}
      </EmptyState>
    );
  }
  const close = () => setAsking(undefined);
  const of = (...states: Release['state'][]) => releases.filter(({ state }) => states.includes(state));
  return (
    <div className={shared.part}>
      <ReleaseCalendar releases={releases} />
      <ReleaseList title={texts.states.scheduled} releases={of('scheduled')} onAsk={setAsking} />
      <ReleaseList title={texts.others} releases={of('open')} onAsk={setAsking} />
      <ReleaseList title={texts.past} releases={of('released', 'refused')} onAsk={setAsking} />
      {asking?.to === 'schedule' && <ScheduleDialog site={site} release={asking.release} onClose={close} />}
      {asking?.to === 'publish' && <PublishDialog site={site} what={{ release: asking.release.id }} onClose={close} />}
      {asking?.to === 'unschedule' && (
        <ChangeDialog
          title={texts.off.title}
          action={texts.off.action}
          site={site}
          onConfirm={() => unschedule(site, asking.release)}
          onClose={close}
        >
          <p>{texts.off.text}</p>
        </ChangeDialog>
      )}
    </div>
  );
}

type Asking = { to: 'schedule' | 'publish' | 'unschedule'; release: Release };
type OnAsk = (asking: Asking) => void;

const tones = { open: 'plain', scheduled: 'accent', released: 'good', refused: 'danger' } as const;

function ReleaseList({ title, releases, onAsk }: { title: string; releases: Release[]; onAsk: OnAsk }) {
  if (releases.length === 0) return null;
  return (
    <section className={styles.block}>
      <h2>{title}</h2>
      <ul className={shared.rows}>
        {releases.map((release) => (
          <Row key={release.id} release={release} onAsk={onAsk} />
        ))}
      </ul>
    </section>
  );
}

function Row({ release, onAsk }: { release: Release; onAsk: OnAsk }) {
  const { title, items, state, schedule, outcome, conflicts } = release;
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
          <Button size="s" onPress={() => onAsk({ to: 'unschedule', release })}>
            {texts.unschedule}
          </Button>
        )}
        {mayChange && (state === 'open' || state === 'refused') && items > 0 && (
          <>
            <Button size="s" onPress={() => onAsk({ to: 'schedule', release })}>
              {texts.schedule}
            </Button>
            <Button size="s" onPress={() => onAsk({ to: 'publish', release })}>
              {texts.publish}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}
