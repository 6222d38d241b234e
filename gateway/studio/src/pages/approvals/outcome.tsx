import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, RefreshCw } from 'lucide-react';
import { approvalsQuery, type Decided } from '../../api/approvals.ts';
import { snapshotPath } from '../../api/history.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { approvals as texts } from '../../texts/approvals.ts';
import styles from './outcome.module.css';

/** `site`: absent where the request was about the deployment itself. */
type OutcomeProps = { site: string | undefined; decided: Decided };

/** What came of a decision that was just made here. */
export function Outcome({ site, decided: { outcome, result, replacedBy } }: OutcomeProps) {
  const { outcome: words } = texts;
  const Icon = outcome === 'ran' ? CircleCheck : outcome === 'rejected' ? CircleX : RefreshCw;
  const text =
    outcome === 'rejected'
      ? words.rejected
      : outcome === 'asked_again'
        ? words.askedAgain
        : result?.changed === false
          ? words.changedNothing
          : words.ran;
  return (
    <div className={styles.outcome} data-outcome={outcome} role="status">
      <Icon aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.text}>{text}</p>
        {result?.snapshot && <p>{words.snapshot(result.snapshot)}</p>}
        {result?.warnings?.map((warning) => (
          <p key={warning}>
            <ShownParts text={warning} />
          </p>
        ))}
        <div className={styles.links}>
          {site && result?.snapshot && (
            <LinkButton to={snapshotPath(site, result.snapshot)}>{words.history}</LinkButton>
          )}
          {replacedBy && <LinkButton to={`/approvals/${replacedBy}`}>{words.seeNew}</LinkButton>}
          <NextOne />
        </div>
      </div>
    </div>
  );
}

function NextOne() {
  const { data } = useInfiniteQuery(approvalsQuery('pending'));
  const next = data?.pages[0]?.approvals[0];
  return next ? (
    <LinkButton to={`/approvals/${next.id}`}>{texts.outcome.next}</LinkButton>
  ) : (
    <LinkButton to="/approvals">{texts.outcome.all}</LinkButton>
  );
}
