import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Plus } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { deleteRelease, type Release, releasesQuery, unschedule } from '../../api/releases.ts';
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
import { NewReleaseDialog } from './new-release-dialog.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { ReleaseCalendar } from './release-calendar.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import styles from './releases.module.css';
import { ScheduleDialog } from './schedule-dialog.tsx';
import shared from './sites.module.css';

/** What goes live together, and when. */
export function Releases() {
  const { site = '' } = useParams();
  const { data: releases, error } = useQuery(releasesQuery(site));
  // Kept here: what was done moves the release to another list.
  const [asking, setAsking] = useState<Asking>();
  const [isMaking, setMaking] = useState(false);
  const mayChange = useMayChange();
  if (error) return <Problem error={error} />;
  if (!releases) return <Skeleton rows={1} height="24rem" />;
  const close = () => setAsking(undefined);
  const of = (...states: Release['state'][]) => releases.filter(({ state }) => states.includes(state));
  return (
    <div className={shared.part}>
      {mayChange && (
        <div className={shared.tools}>
          <Button onPress={() => setMaking(true)}>
            <Plus aria-hidden="true" />
            {texts.fresh.action}
          </Button>
        </div>
      )}
      {releases.length === 0 ? (
        <EmptyState icon={CalendarClock} title={texts.empty.title}>
          {texts.empty.text}
        </EmptyState>
      ) : (
        <ReleaseCalendar releases={releases} />
      )}
      <ReleaseList title={texts.states.scheduled} releases={of('scheduled')} onAsk={setAsking} />
      <ReleaseList title={texts.others} releases={of('open')} onAsk={setAsking} />
      <ReleaseList title={texts.past} releases={of('released', 'refused')} onAsk={setAsking} />
      {isMaking && <NewReleaseDialog site={site} onClose={() => setMaking(false)} />}
      {asking?.to === 'change' && <ReleaseDialog site={site} release={asking.release} onClose={close} />}
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
      {asking?.to === 'delete' && (
        <ChangeDialog
          title={texts.delete.title}
          action={texts.delete.action}
          look="danger"
          site={site}
          onConfirm={() => deleteRelease(site, asking.release)}
          onClose={close}
        >
          <p>
            <Quoted text={asking.release.title} />
          </p>
          <p>{texts.delete.text}</p>
        </ChangeDialog>
      )}
    </div>
  );
}

type Asking = { to: 'change' | 'schedule' | 'publish' | 'unschedule' | 'delete'; release: Release };
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
        {mayChange &&
          actionsOf(release).map((to) => (
            <Button key={to} size="s" onPress={() => onAsk({ to, release })}>
              {texts.actions[to]}
            </Button>
          ))}
      </div>
    </li>
  );
}

/** What can be done with a release as it stands. */
function actionsOf({ state, items }: Release): Asking['to'][] {
  if (state === 'scheduled') return ['unschedule'];
  if (state === 'released') return ['delete'];
  return items > 0 ? ['change', 'schedule', 'publish', 'delete'] : ['change', 'delete'];
}
