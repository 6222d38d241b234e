import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Diff, rollBack, rollbackPlanQuery, type Snapshot, type Track } from '../../api/history.ts';
import { Changes } from '../../components/changes.tsx';
import { Choice } from '../../components/choice.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Time } from '../../components/time.tsx';
import { history } from '../../texts/sites.ts';
import { ChangeDialog } from './change-dialog.tsx';
import styles from './dialogs.module.css';

type RollbackDialogProps = { site: string; snapshot: Snapshot; onDone: (said: string) => void; onClose: () => void };
const tracks = ['live', 'draft', 'both'] as const;

/** Says what readers will see when the site goes back to a snapshot, and takes it there. */
export function RollbackDialog({ site, snapshot, onDone, onClose }: RollbackDialogProps) {
  const texts = history.rollback;
  const [track, setTrack] = useState<Track>('live');
  const [reason, setReason] = useState('');
  const { data: plan, error } = useQuery(rollbackPlanQuery(site, snapshot.id));
  const [live, draft] = [track !== 'draft', track !== 'live'];
  const count = (live ? (plan?.live.changes.length ?? 0) : 0) + (draft ? (plan?.draft.changes.length ?? 0) : 0);
  return (
    <ChangeDialog
      title={texts.title}
      action={texts.action}
      look={live ? 'danger' : 'primary'}
      isDisabled={count === 0 || reason.trim() === ''}
      isWide
      site={site}
      onConfirm={async () => {
        const asked = { snapshot: snapshot.id, track, expectLive: plan!.expectLive, reason: reason.trim() };
        const { data, changed } = await rollBack(site, asked);
        onDone(changed === false ? texts.nothing : texts.done(data.count));
      }}
      onClose={onClose}
    >
      <p>
        {snapshot.label === snapshot.tool ? history.tool(snapshot.tool) : <Quoted text={snapshot.label} />},{' '}
        <Time at={snapshot.at} />
      </p>
      <Choice
        label={texts.track}
        value={track}
        onChange={setTrack}
        options={tracks.map((value) => ({ value, label: texts.tracks[value] }))}
      />
      <p>{texts[track]}</p>
      {error && <Problem error={error} />}
      {!plan && !error && <Skeleton rows={2} />}
      {plan && live && <Part site={site} title={texts.forReaders} diff={plan.live} />}
      {plan && draft && <Part site={site} title={texts.forDraft} diff={plan.draft} />}
      <TextField label={texts.reason} value={reason} onChange={setReason} isRequired maxLength={500} />
    </ChangeDialog>
  );
}

function Part({ site, title, diff: { changes, cut } }: { site: string; title: string; diff: Diff }) {
  const texts = history.rollback;
  return (
    <section className={styles.block}>
      <h3>{title}</h3>
      {changes.length === 0 ? <p>{texts.same}</p> : <Changes changes={changes} site={site} />}
      {cut && <p className={styles.note}>{texts.cut}</p>}
    </section>
  );
}
