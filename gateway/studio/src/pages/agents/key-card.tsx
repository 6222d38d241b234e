import { TriangleAlert } from 'lucide-react';
import type { AgentKey, KeyUsage } from '../../api/agents.ts';
import { usePerson } from '../../api/session.ts';
import { Badge } from '../../components/badge.tsx';
import { Card, CardFacts, CardTitle } from '../../components/card.tsx';
import { PersonName } from '../../components/person-name.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Time } from '../../components/time.tsx';
import { agents as texts } from '../../texts/agents.ts';
import { modes } from '../../texts/changes.ts';
import styles from './key-card.module.css';

type KeyCardProps = {
  agent: AgentKey;
  /** Absent while it is counted. */
  usage: Pick<KeyUsage, 'calls' | 'denied'> | undefined;
};

/** One key in the list: who it is, what it may, and how it is used. */
export function KeyCard({ agent, usage }: KeyCardProps) {
  const { id, name, owner, mode, scopes, sites, state, lastUsedAt, expiresAt, warnings } = agent;
  const isOwn = usePerson().id === owner.id;
  return (
    <Card>
      <header className={styles.head}>
        <CardTitle to={`/agents/${id}`}>
          <Quoted text={name} most={60} />
        </CardTitle>
        {!isOwn && (
          <span className={styles.owner}>
            {texts.ofOwner('')}
            <PersonName name={owner.name} />
          </span>
        )}
        {state === 'active' ? (
          <Badge tone="accent">{modes[mode].name}</Badge>
        ) : (
          <Badge tone={state === 'expired' ? 'warn' : 'danger'}>{texts.state[state]}</Badge>
        )}
      </header>
      <CardFacts>
        <span>
          {scopes === '*' ? texts.allScopes : texts.scopeCount(scopes.length)},{' '}
          {sites === '*' ? texts.allSites : texts.siteCount(sites.length)}
        </span>
        <span>
          {lastUsedAt === null ? (
            texts.neverUsed
          ) : (
            <>
              {texts.used} <Time at={lastUsedAt} />
            </>
          )}
        </span>
        {state === 'active' && (
          <span>
            {texts.expires} <Time at={expiresAt} />
          </span>
        )}
        <span className={styles.usage}>{usage && texts.usage(usage.calls, usage.denied)}</span>
      </CardFacts>
      {state === 'active' && warnings.length > 0 && (
        <p className={styles.warning}>
          <TriangleAlert aria-hidden="true" />
          {texts.warns}
        </p>
      )}
    </Card>
  );
}
