import type { Mode } from '@cloudhal/shared/policy';
import type { Approval } from '../../api/approvals.ts';
import { useNames } from '../../api/people.ts';
import { useSiteTitles } from '../../api/sites.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Time } from '../../components/time.tsx';
import { approvals as texts } from '../../texts/approvals.ts';
import { modes } from '../../texts/changes.ts';

/** Who asks, and under which conditions. */
export function ApprovalFacts({ approval }: { approval: Approval }) {
  const { principal, site, skill, mode, tool, reason, state, alwaysPerson, createdAt, expiresAt, decidedBy } = approval;
  const nameOf = useNames();
  const titleOf = useSiteTitles();
  const { facts } = texts;
  return (
    <Facts
      rows={[
        [facts.agent, <Quoted key="agent" text={principal.name} />],
        principal.owner !== undefined && [facts.owner, <ShownParts key="owner" text={nameOf(principal.owner)} />],
        site !== undefined && [facts.site, <ShownParts key="site" text={titleOf(site)} />],
        [facts.skill, skill ?? facts.noSkill],
        [facts.mode, modes[mode as Mode]?.name ?? mode],
        [facts.tool, <code key="tool">{tool}</code>],
        [facts.asked, <Time key="asked" at={createdAt} />],
        state === 'pending' && [facts.until, <Time key="until" at={expiresAt} />],
        [
          texts.why,
          <>
            {alwaysPerson && <Badge tone="accent">{texts.alwaysPerson}</Badge>} <ShownParts text={reason} />
          </>,
        ],
        decidedBy !== undefined && [
          facts.decided,
          <ShownParts
            key="decided"
            text={texts.decidedBy(texts.state(state), nameOf(decidedBy), approval.decidedVia)}
          />,
        ],
        approval.rejectReason !== undefined && [texts.rejectReason, <Quoted key="why" text={approval.rejectReason} />],
      ]}
    />
  );
}
