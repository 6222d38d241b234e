import type { AuditEvent } from '../../api/activity.ts';
import { Quoted } from '../../components/quoted.tsx';
import { Time } from '../../components/time.tsx';
import { activity, story as texts } from '../../texts/activity.ts';
import styles from './call-page.module.css';
import { Actor, type Tone } from './entry-words.tsx';

/** The lines of a call, one after the other, in words. */
export function CallSteps({ lines }: { lines: readonly AuditEvent[] }) {
  return (
    <ol className={styles.steps}>
      {lines.map((line) => (
        <Step key={line.event_id} line={line} />
      ))}
    </ol>
  );
}

function Step({ line }: { line: AuditEvent }) {
  const { ts, targets = [], type } = line;
  const reasons = reasonsOf(line);
  return (
    <li className={styles.step} data-tone={toneOf(line)}>
      <p>
        {type.startsWith('approval.') || type.startsWith('elevation.') ? <PersonStep line={line} /> : wordsOf(line)}
      </p>
      {reasons.length > 0 && <p className={styles.about}>{reasons.join('; ')}</p>}
      {targets.length > 0 && (
        <details className={styles.about}>
          <summary>{texts.targets(targets.length)}</summary>
          <ul className={styles.targets}>
            {targets.map(({ id, rev_before, rev_after }) => (
              <li key={id}>
                <code>{id}</code>
                {(rev_before ?? rev_after) !== undefined && ` ${texts.rev(rev_before, rev_after)}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      <p className={styles.about}>
        <Time at={ts} />
      </p>
    </li>
  );
}

/** What people, or policy in their place, did with the request behind the call. */
function PersonStep({ line }: { line: AuditEvent }) {
  const { type, tool, approval } = line;
  return (
    <>
      <Actor event={line} /> {activity.phrase(type, approval?.channel) ?? type}{' '}
      {tool !== undefined && <code>{tool}</code>}
      {approval?.reason !== undefined && (
        <>
          {' '}
          <Quoted text={approval.reason} />
        </>
      )}
    </>
  );
}

function wordsOf({ type, decision, outcome }: AuditEvent): string {
  const { steps } = texts;
  const rule = decision?.rule ?? '';
  const ended = outcome && endOf(outcome);
  if (type === 'attempted') return steps.attempted(rule);
  if (type === 'read') return `${steps.read(rule)}. ${ended ?? ''}`;
  if (type === 'outcome') return ended ?? '';
  const said = decision?.result;
  if (said === 'stored') return steps.stored;
  const words = said === 'person' ? steps.person(rule) : steps.deny(rule);
  return outcome?.code === undefined ? words : `${words}: ${outcome.code}`;
}

function endOf({ state, code, duration_ms: ms }: NonNullable<AuditEvent['outcome']>): string {
  const { steps } = texts;
  const words =
    state === 'succeeded'
      ? steps.succeeded
      : state === 'aborted'
        ? steps.aborted
        : steps.failed((code ?? state).replaceAll('_', ' '));
  return ms === undefined ? words : `${words} ${steps.took(ms)}`;
}

function reasonsOf({ details }: AuditEvent): string[] {
  const reasons = (details as { reasons?: unknown } | undefined)?.reasons;
  return Array.isArray(reasons) ? reasons.map(String) : [];
}

function toneOf({ type, outcome, decision }: AuditEvent): Tone {
  if (outcome?.state === 'succeeded') return 'good';
  if (outcome?.state === 'failed' || outcome?.state === 'denied' || type === 'approval.rejected') return 'danger';
  return decision?.result === 'person' || type.startsWith('approval.') ? 'accent' : 'plain';
}
