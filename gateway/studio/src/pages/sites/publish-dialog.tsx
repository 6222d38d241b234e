import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type PublishWhat, publish, publishPlanQuery } from '../../api/content.ts';
import { Button } from '../../components/button.tsx';
import { Changes } from '../../components/changes.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { texts as all } from '../../texts/index.ts';
import { publishing as texts } from '../../texts/sites.ts';
import styles from './dialogs.module.css';

type PublishDialogProps = { site: string; what: PublishWhat; onClose: () => void };

/** Shows what readers would see, and makes exactly that live. */
export function PublishDialog({ site, what, onClose }: PublishDialogProps) {
  const client = useQueryClient();
  const { data: plan, error } = useQuery(publishPlanQuery(site, what));
  const publishing = useMutation({
    mutationFn: (expectDraft: string) => publish(site, what, expectDraft),
    onSettled: () => client.invalidateQueries({ queryKey: ['sites', site] }),
  });
  if (publishing.data) {
    return (
      <Dialog title={texts.title} isOpen onClose={onClose}>
        <Notice>{texts.done(publishing.data.data.count)}</Notice>
        <DialogActions>
          <Button look="primary" onPress={onClose}>
            {all.common.close}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.title} isOpen isDecision isWide onClose={onClose}>
      {error && <Problem error={error} />}
      {!plan && !error && <Skeleton rows={2} />}
      {plan?.count === 0 && <p>{texts.nothing}</p>}
      {plan && plan.problems.length > 0 && (
        <section className={styles.block}>
          <h3>{texts.problems}</h3>
          <ul className={styles.lines}>
            {plan.problems.map((problem) => (
              <li key={problem}>
                <ShownParts text={problem} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {plan && plan.embargoed.length > 0 && (
        <section className={styles.block}>
          <h3>{texts.embargoed}</h3>
          <ul className={styles.lines}>
            {plan.embargoed.map(({ node, until }) => (
              <li key={node}>
                {node} {texts.until} <Time at={until} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {plan && plan.count > 0 && <Changes changes={plan.diff.changes} site={site} />}
      {plan?.diff.cut && <p className={styles.note}>{texts.cut}</p>}
      {publishing.error && <Problem error={publishing.error} />}
      <DialogActions>
        <Button onPress={onClose}>{all.common.cancel}</Button>
        {plan && plan.count > 0 && (
          <Button look="primary" isPending={publishing.isPending} onPress={() => publishing.mutate(plan.expectDraft)}>
            {texts.action(plan.count)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
