import { Link } from 'react-router';
import type { AuditEvent } from '../../api/activity.ts';
import { useSiteTitles } from '../../api/sites.ts';
import { Badge } from '../../components/badge.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Time } from '../../components/time.tsx';
import { activity as texts } from '../../texts/activity.ts';
import styles from './entry-row.module.css';
import { Actor, Deed, standing } from './entry-words.tsx';

/** One call, or one event: who did what, where, and what came of it. A call leads to its whole story. */
export function EntryRow({ event }: { event: AuditEvent }) {
  const { call_id: call, approval, site, skill, snapshot_id: snapshot, ts } = event;
  const titleOf = useSiteTitles();
  const state = standing(event);
  const to =
    call !== undefined && event.tool !== undefined
      ? `/activity/calls/${encodeURIComponent(call)}`
      : approval && `/approvals/${encodeURIComponent(approval.id)}`;
  const words = (
    <>
      <Actor event={event} /> <Deed event={event} />
    </>
  );
  return (
    <article className={styles.row}>
      <p className={styles.words}>{to === undefined ? words : <Link to={to}>{words}</Link>}</p>
      <p className={styles.facts}>
        {state && <Badge tone={state.tone}>{state.word}</Badge>}
        {site !== '_deployment' && <ShownParts text={titleOf(site)} />}
        {skill && <span>{texts.skill(skill.name)}</span>}
        {snapshot !== undefined && <span>{texts.snapshot}</span>}
        <span className={styles.time}>
          <Time at={ts} />
        </span>
      </p>
    </article>
  );
}
