import type { Mode } from '@cloudhal/shared/policy';
import type { AuditEvent } from '../../api/activity.ts';
import { useNames } from '../../api/people.ts';
import { useSiteTitles } from '../../api/sites.ts';
import { Facts } from '../../components/facts.tsx';
import { PersonName } from '../../components/person-name.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { story } from '../../texts/activity.ts';
import { modes } from '../../texts/changes.ts';
import { Actor } from './entry-words.tsx';

/** Who called what, where, and under which conditions. */
export function CallFacts({ main, snapshot }: { main: AuditEvent; snapshot: string | undefined }) {
  const { actor, client, site, tool, skill, mode, decision, call_id: call, scopes_used: scopes } = main;
  const nameOf = useNames();
  const titleOf = useSiteTitles();
  const { facts } = story;
  return (
    <Facts
      rows={[
        [actor.type === 'agent' ? facts.agent : facts.person, <Actor key="actor" event={main} />],
        actor.on_behalf_of !== undefined && [facts.owner, <PersonName key="owner" name={nameOf(actor.on_behalf_of)} />],
        client?.name !== undefined && [
          facts.client,
          <Quoted key="client" text={[client.name, client.version].filter(Boolean).join(' ')} most={60} />,
        ],
        site !== '_deployment' && [facts.site, <ShownParts key="site" text={titleOf(site)} />],
        tool !== undefined && [facts.tool, <code key="tool">{tool}</code>],
        [facts.skill, skill?.name ?? facts.noSkill],
        actor.type === 'agent' && mode !== undefined && [facts.mode, modes[mode as Mode]?.name ?? mode],
        decision !== undefined && [facts.rule, <code key="rule">{decision.rule}</code>],
        scopes !== undefined && scopes.length > 0 && [facts.scopes, <code key="scopes">{scopes.join(', ')}</code>],
        snapshot !== undefined && [facts.snapshot, <code key="snapshot">{snapshot}</code>],
        call !== undefined && [facts.call, <code key="call">{call}</code>],
      ]}
    />
  );
}
