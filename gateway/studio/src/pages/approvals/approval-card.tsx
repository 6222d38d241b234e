import { memo } from 'react';
import type { Approval } from '../../api/approvals.ts';
import { useNames } from '../../api/people.ts';
import { Badge } from '../../components/badge.tsx';
import { Card, CardFacts, CardTitle } from '../../components/card.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Time } from '../../components/time.tsx';
import { approvals as texts } from '../../texts/approvals.ts';
import styles from './approval-card.module.css';

type ApprovalCardProps = {
  approval: Approval;
  /** Absent: it is decided on its own page alone. */
  isChosen?: boolean;
  onChoose: (approval: Approval, isChosen: boolean) => void;
};

/** One request in a list: what is asked, by whom, since when. Drawn again when it changes, and not while others scroll by. */
export const ApprovalCard = memo(function ApprovalCard({ approval, isChosen, onChoose }: ApprovalCardProps) {
  const { id, state, summary, principal, skill, alwaysPerson, createdAt, expiresAt, decidedBy, decidedVia, decidedAt } =
    approval;
  const nameOf = useNames();
  return (
    <Card
      isChosen={isChosen}
      choice={
        isChosen !== undefined && (
          <Checkbox
            aria-label={texts.select(summary.title)}
            isSelected={isChosen}
            onChange={(isNow) => onChoose(approval, isNow)}
          />
        )
      }
    >
      <CardTitle to={`/approvals/${id}`}>
        <ShownParts text={summary.title} />
      </CardTitle>
      {summary.lines[0] && (
        <p className={styles.line}>
          <ShownParts text={summary.lines[0]} />
        </p>
      )}
      <CardFacts>
        {state !== 'pending' && <Badge tone={tones[state] ?? 'plain'}>{texts.state(state)}</Badge>}
        {alwaysPerson && state === 'pending' && <Badge tone="accent">{texts.alwaysPerson}</Badge>}
        <span>
          <Quoted text={principal.name} most={40} />
          {principal.owner && ` ${texts.for} `}
          {principal.owner && <ShownParts text={nameOf(principal.owner)} />}
        </span>
        {skill && <span>{skill}</span>}
        {decidedBy ? (
          <span>
            {nameOf(decidedBy)}
            {decidedAt && ', '}
            {decidedAt && <Time at={decidedAt} />}
            {decidedVia && decidedVia !== 'studio' && ` ${texts.atClient}`}
          </span>
        ) : (
          <span>
            {texts.asked} <Time at={createdAt} />
          </span>
        )}
        {state === 'pending' && (
          <span>
            {texts.ends} <Time at={expiresAt} />
          </span>
        )}
      </CardFacts>
    </Card>
  );
});

const tones: Record<string, 'good' | 'warn' | 'danger'> = {
  succeeded: 'good',
  approved: 'good',
  consumed: 'good',
  rejected: 'danger',
  failed: 'danger',
  stale: 'warn',
  expired: 'warn',
};
