import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { type AgentKey, keyQuery, type NewKey, outcomesQuery, revokeKey } from '../../api/agents.ts';
import { usePerson } from '../../api/session.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import { Columns } from '../../components/columns.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { agents, outcomes, keyPage as texts } from '../../texts/agents.ts';
import { modes } from '../../texts/changes.ts';
import { KeyFacts } from './key-facts.tsx';
import styles from './key-page.module.css';
import { Outcomes } from './outcomes.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { Setup } from './setup.tsx';
import { Warnings } from './warnings.tsx';

/** One key: what it is, what it may do, and everything that can be done with it. */
export function KeyPage() {
  const { id = '' } = useParams();
  // Another one is another page: no secret of the one before stays.
  return <WholeKey key={id} id={id} />;
}

function WholeKey({ id }: { id: string }) {
  const { data: agent } = useSuspenseQuery(keyQuery(id));
  const [made, setMade] = useState<NewKey>();
  if (made) return <Setup made={made} isRotated onDone={() => setMade(undefined)} />;
  const { name, warnings, state } = agent;
  return (
    <Page
      title={<Quoted text={name} most={60} />}
      windowTitle={agents.windowTitle}
      before={<BackLink to="/agents">{agents.back}</BackLink>}
      actions={<Actions agent={agent} onMade={setMade} />}
      wide
    >
      {state === 'active' && <Warnings warnings={warnings} />}
      <Columns
        aside={
          <aside className={styles.aside}>
            <KeyFacts agent={agent} />
            <LinkButton to={`/activity?actor=${encodeURIComponent(`agent:${id}`)}`}>{texts.activity}</LinkButton>
          </aside>
        }
      >
        {state === 'active' && <MayDo agent={agent} />}
        {state === 'expired' && <p>{texts.expired}</p>}
      </Columns>
    </Page>
  );
}

function Actions({ agent: { id, owner, state }, onMade }: { agent: AgentKey; onMade: (made: NewKey) => void }) {
  const [asked, setAsked] = useState<'rotate' | 'revoke'>();
  const { id: own, role } = usePerson();
  const client = useQueryClient();
  if (state === 'revoked') return null;
  if (owner.id !== own && role !== 'owner') return <p className={styles.note}>{texts.notYours}</p>;
  const isExpired = state === 'expired';
  // The secret acts for the owner of the key, so nobody else is given it.
  const canRotate = owner.id === own && (state === 'active' || isExpired);
  const revoke = async () => {
    await revokeKey(id);
    await client.invalidateQueries({ queryKey: ['agent-keys'] });
  };
  return (
    <>
      {state === 'active' && <LinkButton to={`/agents/${id}/change`}>{texts.edit}</LinkButton>}
      {canRotate && <Button onPress={() => setAsked('rotate')}>{isExpired ? texts.renew : texts.rotate}</Button>}
      <Button look="danger" onPress={() => setAsked('revoke')}>
        {texts.revoke}
      </Button>
      {asked === 'rotate' && (
        <RotateDialog id={id} isExpired={isExpired} onMade={onMade} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'revoke' && (
        <ConfirmDialog
          title={texts.revokeDialog.title}
          action={texts.revokeDialog.action}
          onConfirm={revoke}
          onClose={() => setAsked(undefined)}
        >
          {texts.revokeDialog.text}
        </ConfirmDialog>
      )}
    </>
  );
}

function MayDo({ agent: { id, mode } }: { agent: AgentKey }) {
  const { data, error } = useQuery(outcomesQuery(id));
  return (
    <Section title={outcomes.title} text={outcomes.text}>
      {error && <Problem error={error} />}
      {data && data.mode !== mode && mode !== 'bypass' && (
        <p className={styles.elevated}>{outcomes.elevated(modes[data.mode].name)}</p>
      )}
      {data ? <Outcomes outcomes={data} /> : !error && <Skeleton rows={4} height="4rem" />}
    </Section>
  );
}
