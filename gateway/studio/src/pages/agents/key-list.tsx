import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { type AgentKey, keysQuery, usageQuery } from '../../api/agents.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { agents as texts } from '../../texts/agents.ts';
import { KeyCard } from './key-card.tsx';
import styles from './key-list.module.css';

/** The keys that one may see: those that work, and below them those that ended. */
export function KeyList() {
  const { data: keys } = useSuspenseQuery(keysQuery);
  const create = (
    <LinkButton to="/agents/new" look="primary">
      {texts.create}
    </LinkButton>
  );
  if (keys.length === 0) {
    return (
      <Page title={texts.title} lead={texts.lead}>
        <EmptyState icon={Bot} title={texts.empty.title} action={create}>
          {texts.empty.text}
        </EmptyState>
      </Page>
    );
  }
  const good = keys.filter(({ state }) => state === 'active');
  const ended = keys.filter(({ state }) => state !== 'active');
  return (
    <Page title={texts.title} lead={texts.lead} actions={create}>
      {good.length > 0 && <Keys keys={good} />}
      {ended.length > 0 && (
        <details className={styles.ended} open={good.length === 0}>
          <summary>{texts.ended(ended.length)}</summary>
          <Keys keys={ended} />
        </details>
      )}
    </Page>
  );
}

function Keys({ keys }: { keys: readonly AgentKey[] }) {
  const { data: usage } = useQuery(usageQuery);
  return (
    <ul className={styles.list} aria-label={texts.list(keys.length)}>
      {keys.map((key) => (
        <li key={key.id}>
          <KeyCard agent={key} usage={usage && (usage.find(({ id }) => id === `agent:${key.id}`) ?? none)} />
        </li>
      ))}
    </ul>
  );
}

const none = { calls: 0, denied: 0 };
