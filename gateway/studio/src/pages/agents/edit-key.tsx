import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { type AgentKey, changeKey, keyQuery } from '../../api/agents.ts';
import { usePerson } from '../../api/session.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { agents, keyForm as texts } from '../../texts/agents.ts';
import { type Draft, KeyForm } from './key-form.tsx';

/** Changes what a key reaches, how much it does by itself, and until when. */
export function EditKey() {
  const { id = '' } = useParams();
  const { data: key } = useSuspenseQuery(keyQuery(id));
  const { role } = usePerson();
  const client = useQueryClient();
  const navigate = useNavigate();
  const start = draftOf(key);
  const save = async (draft: Draft) => {
    const changed = Object.fromEntries(
      Object.entries(draft).filter(([name, value]) => !isSame(value, start[name as keyof Draft])),
    );
    if (Object.keys(changed).length > 0) await changeKey(id, changed);
    await client.invalidateQueries({ queryKey: ['agent-keys'] });
    navigate(`/agents/${id}`, { replace: true });
  };
  return (
    <Page
      title={texts.editTitle}
      windowTitle={agents.windowTitle}
      before={<BackLink to="/agents">{agents.back}</BackLink>}
      lead={
        <>
          <Quoted text={key.name} most={60} /> {texts.editLead}
        </>
      }
      wide
    >
      <KeyForm start={start} role={key.owner.role ?? role} action={texts.save} canKeepExpiry onSend={save} />
    </Page>
  );
}

function draftOf({ name, mode, scopes, sites, toolsets, ratePerMinute }: AgentKey): Draft {
  return { name, mode, scopes, sites, toolsets: toolsets ?? [], ratePerMinute };
}

function isSame(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
  return sorted(a) === sorted(b);
}
