import { modeAtMost, roleMode } from '@cloudhal/shared/policy';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { createKey, type NewKey } from '../../api/agents.ts';
import { usePerson } from '../../api/session.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { agents, keyForm as texts } from '../../texts/agents.ts';
import { type Draft, KeyForm } from './key-form.tsx';
import { presets } from './presets.ts';
import { Setup } from './setup.tsx';

/** Makes a key, and then shows its secret with the set-up of each client. */
export function NewKeyPage() {
  const { role } = usePerson();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [made, setMade] = useState<NewKey>();
  if (made) return <Setup made={made} onDone={() => navigate(`/agents/${made.key.id}`, { replace: true })} />;

  const mayWrite = role === 'owner' || role === 'editor';
  const start: Draft = {
    name: '',
    mode: modeAtMost('edits', roleMode[role]),
    scopes: mayWrite ? presets.write : presets.read,
    sites: '*',
    toolsets: [],
    ratePerMinute: null,
    expiresInDays: 90,
  };
  const create = async ({ toolsets, ratePerMinute, ...wish }: Draft) => {
    const key = await createKey({
      ...wish,
      ...(toolsets.length > 0 && { toolsets }),
      ...(ratePerMinute !== null && { ratePerMinute }),
    });
    setMade(key);
    window.scrollTo(0, 0);
    await client.invalidateQueries({ queryKey: ['agent-keys'] });
  };
  return (
    <Page title={texts.newTitle} before={<BackLink to="/agents">{agents.back}</BackLink>} lead={texts.newLead} wide>
      <KeyForm start={start} role={role} action={texts.action} onSend={create} />
    </Page>
  );
}
