import { useQuery } from '@tanstack/react-query';
import { approvalQuery } from '../../api/approvals.ts';
import { useNames } from '../../api/people.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Section } from '../../components/section.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { story as texts } from '../../texts/activity.ts';
import { approvals } from '../../texts/approvals.ts';
import styles from './call-page.module.css';

/** What people were asked about the call, and what they said. */
export function ApprovalOfCall({ id }: { id: string }) {
  const { data, error } = useQuery(approvalQuery(id));
  const nameOf = useNames();
  return (
    <Section title={texts.approval}>
      {error && <p className={styles.hidden}>{texts.noApproval}</p>}
      {!error && !data && <Skeleton rows={1} height="4rem" />}
      {data && (
        <>
          <p>
            <ShownParts text={data.summary.title} />
          </p>
          <p>
            {data.decidedBy === undefined ? (
              approvals.state(data.state)
            ) : (
              <ShownParts
                text={approvals.decidedBy(approvals.state(data.state), nameOf(data.decidedBy), data.decidedVia)}
              />
            )}
          </p>
          {data.rejectReason !== undefined && <Quoted as="block" text={data.rejectReason} />}
          <div>
            <LinkButton to={`/approvals/${encodeURIComponent(id)}`}>{texts.approvalLink}</LinkButton>
          </div>
        </>
      )}
    </Section>
  );
}
