import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import { type RecordState, recordQuery, verifyRecord } from '../../api/activity.ts';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { record as texts } from '../../texts/activity.ts';
import styles from './record-panel.module.css';

/** Whether the record is whole: what was found last, what is signed, and a way to recompute all of it. */
export function RecordPanel() {
  const client = useQueryClient();
  const { data, error } = useQuery(recordQuery);
  const verifying = useMutation({
    mutationFn: verifyRecord,
    onSuccess: (state) => client.setQueryData(recordQuery.queryKey, state),
  });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton rows={1} height="5.25rem" />;
  const { verified } = data;
  const isWhole = verified?.ok;
  const Icon = verified === undefined ? ShieldQuestion : isWhole ? ShieldCheck : ShieldAlert;
  const isBusy = data.verifying || verifying.isPending;
  return (
    <section className={styles.panel} data-found={verified === undefined ? 'nothing' : isWhole ? 'whole' : 'broken'}>
      <Icon aria-hidden="true" className={styles.icon} />
      <div className={styles.words}>
        <h2>{texts.title}</h2>
        <p role="status">{isBusy ? texts.verifying : <Found state={data} />}</p>
        {verified?.problems.map(({ chain, seq, detail }) => (
          <p key={chain} className={styles.problem}>
            {texts.problem(chain, seq)}: {detail}.
          </p>
        ))}
        {isWhole === false && <p>{texts.next}</p>}
        <p className={styles.facts}>
          {texts.counts(data.events, data.chains)};{' '}
          {data.checkpoint ? (
            <>
              {texts.checkpoint} <Time at={data.checkpoint.at} />, {texts.unsigned(data.checkpoint.unsigned)}
            </>
          ) : (
            texts.noCheckpoint
          )}
          .
        </p>
        {verifying.error && <Problem error={verifying.error} />}
      </div>
      <Button isPending={isBusy} onPress={() => verifying.mutate()}>
        {texts.verify}
      </Button>
    </section>
  );
}

function Found({ state: { verified } }: { state: RecordState }) {
  if (verified === undefined) return <>{texts.never}</>;
  return (
    <>
      {verified.ok ? texts.whole(verified.by) : texts.broken} <Time at={verified.at} />
      {verified.checkpoints > 0 && verified.ok && `; ${texts.checked(verified.checkpoints)}`}.
    </>
  );
}
