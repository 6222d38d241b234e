import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { type Approval, approvalQuery, approve, reject } from '../../api/approvals.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import { type Change, Changes } from '../../components/changes.tsx';
import { Columns } from '../../components/columns.tsx';
import { Page } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { approvals as texts } from '../../texts/approvals.ts';
import { ApprovalFacts } from './approval-facts.tsx';
import styles from './approval-page.module.css';
import { useMayDecide } from './may-decide.ts';
import { Outcome } from './outcome.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { RejectDialog } from './reject-dialog.tsx';

/** One request, whole: what it does, why it needs a person, and the decision. */
export function ApprovalPage() {
  const { id = '' } = useParams();
  // Another one is another page: nothing of the one before stays.
  return <ApprovalById key={id} id={id} />;
}

function ApprovalById({ id }: { id: string }) {
  const client = useQueryClient();
  const { data: approval } = useSuspenseQuery(approvalQuery(id));
  const settled = { onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }) };
  const approving = useMutation({ mutationFn: () => approve(id), ...settled });
  const rejecting = useMutation({ mutationFn: (reason: string) => reject(id, reason), ...settled });
  const decided = approving.data ?? rejecting.data;
  const { title, lines, diff = [] } = approval.summary;
  // One that was approved and took no effect may still be used, so it may still be stopped.
  const isOpen = approval.state === 'pending' || approval.state === 'approved';

  return (
    <Page
      title={<ShownParts text={title} />}
      windowTitle={texts.title}
      wide
      before={<BackLink to="/approvals">{texts.back}</BackLink>}
    >
      <Columns
        aside={
          <aside className={styles.aside}>
            <ApprovalFacts approval={approval} />
            {isOpen && !decided && (
              <Decision
                isApproving={approving.isPending}
                isRejecting={rejecting.isPending}
                rejectError={rejecting.error}
                onApprove={() => approving.mutate()}
                onReject={(reason) => rejecting.mutateAsync(reason)}
              />
            )}
          </aside>
        }
      >
        {decided ? <Outcome site={approval.site} decided={decided} /> : <Closed approval={approval} />}
        {approving.error && !decided && <Problem error={approving.error} />}
        <section className={styles.section}>
          <h2>{texts.what(approval.state)}</h2>
          <ul className={styles.lines}>
            {lines.map((line) => (
              <li key={line}>
                <ShownParts text={line} />
              </li>
            ))}
          </ul>
        </section>
        {diff.length > 0 && (
          <section className={styles.section}>
            <h2>{texts.changes}</h2>
            <Changes
              changes={diff as Change[]}
              site={approval.site}
              aside={(change) => <PreviewFrame site={approval.site} change={change} isOpen={isOpen} />}
            />
          </section>
        )}
      </Columns>
    </Page>
  );
}

type DecisionProps = {
  isApproving: boolean;
  isRejecting: boolean;
  rejectError: unknown;
  onApprove: () => void;
  onReject: (reason: string) => Promise<unknown>;
};

function Decision({ isApproving, isRejecting, rejectError, onApprove, onReject }: DecisionProps) {
  const [isAsking, setAsking] = useState(false);
  const mayDecide = useMayDecide();
  if (!mayDecide) return <p className={styles.note}>{texts.mayNot}</p>;
  return (
    <section className={styles.decision} aria-label={texts.decide}>
      <p className={styles.note}>{texts.runs}</p>
      <div className={styles.buttons}>
        <Button look="primary" isPending={isApproving} isDisabled={isRejecting} onPress={onApprove}>
          {texts.approve}
        </Button>
        <Button look="danger" isDisabled={isApproving} onPress={() => setAsking(true)}>
          {texts.reject}
        </Button>
      </div>
      <RejectDialog
        isOpen={isAsking}
        isPending={isRejecting}
        error={rejectError}
        onClose={() => setAsking(false)}
        onReject={(reason) =>
          void onReject(reason).then(
            () => setAsking(false),
            () => undefined,
          )
        }
      />
    </section>
  );
}

/** Says what became of a request that is no longer open. */
function Closed({ approval }: { approval: Approval }) {
  const text = texts.closed(approval);
  return text === undefined ? null : (
    <p className={styles.closed} role="status">
      {text}
    </p>
  );
}
