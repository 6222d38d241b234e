import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Release, releasePlanQuery, schedule } from '../../api/releases.ts';
import { Changes } from '../../components/changes.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TextField } from '../../components/text-field.tsx';
import { releases } from '../../texts/sites.ts';
import styles from './dialogs.module.css';
import { nameOf } from './release-items.tsx';

type ScheduleDialogProps = { site: string; release: Release; onClose: () => void };

/** Shows what a release changes for readers, and has exactly that go live at a time. */
export function ScheduleDialog({ site, release: { id }, onClose }: ScheduleDialogProps) {
  const client = useQueryClient();
  const { data: plan, error } = useQuery(releasePlanQuery(site, id));
  const texts = releases.plan;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Dialog title={texts.title} isOpen isDecision isWide onClose={onClose}>
      {error && <Problem error={error} />}
      {!plan && !error && <Skeleton rows={2} />}
      {plan && plan.conflicts.length > 0 && (
        <section className={styles.block}>
          <h3>{texts.conflicts}</h3>
          <ul className={styles.lines}>
            {plan.conflicts.map(({ node, problem }) => (
              <li key={`${node} ${problem}`}>
                <Quoted text={nameOf(plan.items.find((item) => item.node === node) ?? { node })} />{' '}
                <ShownParts text={problem} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {plan &&
        (plan.diff.changes.length > 0 ? <Changes changes={plan.diff.changes} site={site} /> : <p>{texts.nothing}</p>)}
      {plan && (
        <Form
          onSend={async ({ at = '', zone = '' }) => {
            await schedule(site, id, plan, at, zone.trim()).finally(() =>
              client.invalidateQueries({ queryKey: ['sites', site] }),
            );
            onClose();
          }}
        >
          {({ isSending }) => (
            <>
              <TextField label={texts.at} name="at" type="datetime-local" isRequired />
              <TextField label={texts.zone} hint={texts.zoneHint} name="zone" isRequired defaultValue={timeZone} />
              <p className={styles.note}>{texts.text}</p>
              <FormActions isSending={isSending} isDisabled={plan.diff.changes.length === 0} onCancel={onClose}>
                {texts.action}
              </FormActions>
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
}
