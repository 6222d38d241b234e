import { useQuery } from '@tanstack/react-query';
import { type AgentKey, usageQuery } from '../../api/agents.ts';
import { useSiteTitles } from '../../api/sites.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { PersonName } from '../../components/person-name.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Time } from '../../components/time.tsx';
import { agents, scopeGroups, keyPage as texts, toolsetNames } from '../../texts/agents.ts';
import { modes } from '../../texts/changes.ts';
import styles from './key-page.module.css';

/** What a key is: its rights in words, and how it is used. */
export function KeyFacts({ agent }: { agent: AgentKey }) {
  const { state, mode, scopes, sites, toolsets, ratePerMinute, hint, owner } = agent;
  const { data } = useQuery(usageQuery);
  const usage = data && (data.find(({ id }) => id === `agent:${agent.id}`) ?? { calls: 0, denied: 0, waited: 0 });
  const titleOf = useSiteTitles();
  const { facts } = texts;
  const words =
    scopes === '*'
      ? agents.allScopes
      : scopeGroups
          .flatMap((group) => group.scopes)
          .filter(([scope]) => scopes.includes(scope))
          .map(([, text]) => text);
  return (
    <Facts
      rows={[
        [
          facts.state,
          <Badge key="state" tone={state === 'active' ? 'good' : state === 'expired' ? 'warn' : 'danger'}>
            {agents.state[state]}
          </Badge>,
        ],
        [facts.mode, modes[mode].name],
        [facts.scopes, typeof words === 'string' ? words : <Words key="scopes" words={words} />],
        [
          facts.sites,
          sites === '*' ? agents.allSites : <ShownParts key="sites" text={sites.map(titleOf).join(', ')} />,
        ],
        [facts.toolsets, toolsets?.map((toolset) => toolsetNames[toolset]).join(', ') ?? facts.allTools],
        [facts.rate, ratePerMinute === null ? facts.rateDefault : facts.rateOf(ratePerMinute)],
        [facts.key, <code key="key">{hint}</code>],
        [facts.owner, <PersonName key="owner" name={owner.name} />],
        [facts.made, <Time key="made" at={agent.createdAt} />],
        [facts.used, agent.lastUsedAt === null ? agents.neverUsed : <Time key="used" at={agent.lastUsedAt} />],
        usage !== undefined && [
          facts.usage,
          <>
            {agents.usage(usage.calls, 0)}
            {usage.calls > 0 && <br />}
            {usage.calls > 0 && facts.denied(usage.denied, usage.waited)}
          </>,
        ],
        agent.previousUntil !== null && [facts.previous, <Time key="previous" at={agent.previousUntil} />],
        agent.revokedAt === null
          ? [facts.expires, <Time key="expires" at={agent.expiresAt} />]
          : [facts.revoked, <Time key="revoked" at={agent.revokedAt} />],
      ]}
    />
  );
}

function Words({ words }: { words: readonly string[] }) {
  return (
    <ul className={styles.words}>
      {words.map((word) => (
        <li key={word}>{word}</li>
      ))}
    </ul>
  );
}
