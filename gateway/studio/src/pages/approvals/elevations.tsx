import type { Mode } from '@cloudhal/shared/policy';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Zap } from 'lucide-react';
import { useState } from 'react';
import { type Elevation, elevationsQuery, end, refuse } from '../../api/elevations.ts';
import { usePerson } from '../../api/session.ts';
import { useSiteTitles } from '../../api/sites.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Time, useNow } from '../../components/time.tsx';
import { approvals, elevations as texts } from '../../texts/approvals.ts';
import { modes } from '../../texts/changes.ts';
import styles from './elevations.module.css';
import { GrantDialog } from './grant-dialog.tsx';

/** Agents that want to do more by themselves for a while, and those that may right now. */
export function Elevations() {
  const { data } = useSuspenseQuery(elevationsQuery);
  const [asked, active] = [
    data.filter(({ state }) => state === 'pending'),
    data.filter(({ state }) => state === 'granted'),
  ];
  if (data.length === 0) {
    return (
      <EmptyState icon={Zap} title={texts.empty.title}>
        {texts.empty.text}
      </EmptyState>
    );
  }
  return (
    <>
      <p className={styles.lead}>{texts.lead}</p>
      {active.length > 0 && <Group title={texts.active} elevations={active} />}
      {asked.length > 0 && <Group title={texts.requests} elevations={asked} />}
    </>
  );
}

function Group({ title, elevations }: { title: string; elevations: Elevation[] }) {
  return (
    <section className={styles.group}>
      <h2>{title}</h2>
      <ul className={styles.list}>
        {elevations.map((elevation) => (
          <ElevationCard key={elevation.id} elevation={elevation} />
        ))}
      </ul>
    </section>
  );
}

function ElevationCard({ elevation }: { elevation: Elevation }) {
  const { id, principal, mode, minutes, reason, state, createdAt, endsAt, site, tools } = elevation;
  const [isGranting, setGranting] = useState(false);
  const titleOf = useSiteTitles();
  const client = useQueryClient();
  const { role } = usePerson();
  const onSettled = () => client.invalidateQueries({ queryKey: ['elevations'] });
  const refusing = useMutation({ mutationFn: () => refuse(id), onSettled });
  const ending = useMutation({ mutationFn: () => end(id), onSettled });
  const mayDecide = role === 'owner' || role === 'editor';
  const name = modes[mode as Mode]?.name ?? mode;
  return (
    <li className={styles.card}>
      <div className={styles.words}>
        <h3>
          <Quoted text={principal.name} most={60} /> {state === 'pending' ? texts.asks(name, minutes) : texts.has(name)}
        </h3>
        <p className={styles.facts}>
          {endsAt && <TimeLeft endsAt={endsAt} />}
          <span>
            {texts.on} {site === undefined ? texts.allSites : <ShownParts text={titleOf(site)} />}
          </span>
          {tools && (
            <span>
              {texts.tools} <code>{tools.join(', ')}</code>
            </span>
          )}
          <span>
            {approvals.asked} <Time at={createdAt} />
          </span>
        </p>
        <Quoted as="block" text={reason} most={300} />
        {(refusing.error ?? ending.error) && <Problem error={refusing.error ?? ending.error} />}
      </div>
      {mayDecide && (
        <div className={styles.actions}>
          {state === 'pending' ? (
            <>
              <Button look="primary" size="s" onPress={() => setGranting(true)}>
                {texts.grant}
              </Button>
              <Button size="s" isPending={refusing.isPending} onPress={() => refusing.mutate()}>
                {texts.refuse}
              </Button>
            </>
          ) : (
            <Button look="danger" size="s" isPending={ending.isPending} onPress={() => ending.mutate()}>
              {texts.end}
            </Button>
          )}
        </div>
      )}
      {isGranting && <GrantDialog elevation={elevation} onClose={() => setGranting(false)} />}
    </li>
  );
}

function TimeLeft({ endsAt }: { endsAt: string }) {
  const left = Date.parse(endsAt) - useNow(5_000);
  return <Badge tone="accent">{left <= 0 ? texts.ending : texts.left(Math.ceil(left / 60_000))}</Badge>;
}
