import type { AuditEvent } from '../../api/activity.ts';
import { useNames } from '../../api/people.ts';
import { PersonName } from '../../components/person-name.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { activity as texts } from '../../texts/activity.ts';

/** Who did it, by the name that the record has of them; who answered their agent's client, and not the agent. */
export function Actor({ event: { actor, approval } }: { event: AuditEvent }) {
  const nameOf = useNames();
  const decidedBy = approval?.decided_by;
  if (decidedBy !== undefined && decidedBy !== actor.id) return <PersonName name={nameOf(decidedBy)} />;
  if (actor.type === 'agent') return <Quoted text={actor.name ?? actor.id} most={40} />;
  return <PersonName name={actor.name ?? actor.id.replace(/-service$/, '')} />;
}

/** What was done, in words, and with which tool. */
export function Deed({ event: { type, tool, decision, details, approval } }: { event: AuditEvent }) {
  const called =
    decision?.result === 'deny'
      ? texts.called.denied
      : decision?.result === 'person'
        ? texts.called.person
        : decision?.result === 'stored'
          ? texts.called.stored
          : texts.called.ran;
  const isCall = type === 'attempted' || type === 'outcome' || type === 'read' || type === 'decision';
  const words = isCall ? called : texts.phrase(type, approval?.channel);
  return (
    <>
      {words ?? <code>{type}</code>} {tool !== undefined && <code>{tool}</code>}
      {type.startsWith('key.') && <NameOfKey details={details} />}
    </>
  );
}

function NameOfKey({ details }: { details: unknown }) {
  const name = (details as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? <Quoted text={name} most={40} /> : null;
}

export type Tone = 'plain' | 'good' | 'warn' | 'danger' | 'accent';

/** How it stands, in a word or two; nothing for what is no call. */
export function standing({ type, outcome, decision }: AuditEvent): { word: string; tone: Tone } | undefined {
  const state = outcome?.state ?? (type === 'attempted' ? 'open' : type === 'decision' ? decision?.result : undefined);
  if (state === undefined) return undefined;
  const word = outcome?.code === undefined ? texts.state(state) : texts.failedWith(state, outcome.code);
  return { word, tone: tones[state] ?? 'plain' };
}

const tones: Record<string, Tone> = {
  succeeded: 'good',
  failed: 'danger',
  denied: 'danger',
  aborted: 'warn',
  person: 'accent',
};
