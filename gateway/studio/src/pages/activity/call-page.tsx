import { useSuspenseQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useParams } from 'react-router';
import { type AuditEvent, callQuery } from '../../api/activity.ts';
import { usePerson } from '../../api/session.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Columns } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Section } from '../../components/section.tsx';
import { story as texts } from '../../texts/activity.ts';
import { ApprovalOfCall } from './approval-of-call.tsx';
import { CallFacts } from './call-facts.tsx';
import styles from './call-page.module.css';
import { CallSteps } from './call-steps.tsx';
import { Actor, Deed } from './entry-words.tsx';
import { SnapshotChanges } from './snapshot-changes.tsx';

/** One call, whole: who asked, which rule decided, who approved it, and what it changed. */
export function CallPage() {
  const { id = '' } = useParams();
  const { data: lines } = useSuspenseQuery(callQuery(id));
  // The outcome says it already.
  const steps = lines.filter(({ type }) => !/^approval\.(?:succeeded|failed|aborted)$/.test(type));
  const { role } = usePerson();
  const main = lines.find(({ decision }) => decision !== undefined) ?? lines[0];
  const back = <BackLink to="/activity">{texts.back}</BackLink>;
  if (main === undefined) {
    return (
      <Page title={texts.windowTitle} before={back}>
        <EmptyState
          icon={SearchX}
          title={texts.missing.title}
          action={<LinkButton to="/activity">{texts.back}</LinkButton>}
        >
          {texts.missing.text}
        </EmptyState>
      </Page>
    );
  }
  const last = <T,>(pick: (line: AuditEvent) => T | undefined) =>
    lines.map(pick).findLast((value) => value !== undefined);
  const approval = last((line) => line.approval?.id);
  const snapshot = last((line) => line.snapshot_id);
  const note = last((line) => line.note);
  const args = last((line) => line.args_redacted);
  return (
    <Page
      title={
        <>
          <Actor event={main} /> <Deed event={main} />
        </>
      }
      windowTitle={texts.windowTitle}
      before={back}
      wide
    >
      <Columns
        aside={
          <aside>
            <CallFacts main={main} snapshot={snapshot} />
          </aside>
        }
      >
        <Section title={texts.happened}>
          <CallSteps lines={steps} />
        </Section>
        {note !== undefined && (
          <Section title={texts.note}>
            <Quoted as="block" text={note} />
          </Section>
        )}
        {approval !== undefined && <ApprovalOfCall id={approval} />}
        {snapshot !== undefined && <SnapshotChanges site={main.site} snapshot={snapshot} />}
        {args !== undefined ? (
          <Section title={texts.arguments} text={texts.argumentsText}>
            <Quoted as="block" text={JSON.stringify(args, null, 2)} most={2_000} />
          </Section>
        ) : (
          role !== 'auditor' && <p className={styles.hidden}>{texts.argumentsHidden}</p>
        )}
      </Columns>
    </Page>
  );
}
