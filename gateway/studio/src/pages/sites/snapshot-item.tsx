import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Snapshot, snapshotDiffQuery } from '../../api/history.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Changes } from '../../components/changes.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { history as texts } from '../../texts/sites.ts';
import styles from './history.module.css';

type SnapshotItemProps = {
  site: string;
  snapshot: Snapshot;
  /** What a link led to: it has the focus, and shows what changed. */
  isLinked: boolean;
  onUndo?: () => void;
  onRollback?: () => void;
};

/** One change of the site: what, who, when; what exactly, once somebody asks. */
export function SnapshotItem({ site, snapshot, isLinked, onUndo, onRollback }: SnapshotItemProps) {
  const [isOpen, setOpen] = useState(isLinked);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isLinked) item.current?.focus();
  }, [isLinked]);
  const { id, label, tool, actor, skill, note, changed, reason, at } = snapshot;
  const isNamed = label !== tool;
  return (
    <li ref={item} tabIndex={-1} className={styles.item} data-named={isNamed}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 className={styles.title}>{isNamed ? <Quoted text={label} /> : texts.tool(tool)}</h2>
          <p className={styles.facts}>
            <span>
              {texts.by} <Quoted text={actor} most={40} />
            </span>
            <Time at={at} />
            <span>{changed === 0 ? texts.noNodes : texts.nodes(changed)}</span>
            {skill !== undefined && (
              <span>
                {texts.under} {skill}
              </span>
            )}
            {texts.reason(reason) && <Badge>{texts.reason(reason)}</Badge>}
          </p>
          {note !== undefined && <Quoted text={note} most={200} />}
        </div>
        <div className={styles.does}>
          {changed > 0 && (
            <Button size="s" look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
              {isOpen ? texts.hide : texts.show}
            </Button>
          )}
          {changed > 0 && onUndo && (
            <Button size="s" onPress={onUndo}>
              {texts.undo}
            </Button>
          )}
          {onRollback && (
            <Button size="s" onPress={onRollback}>
              {texts.back}
            </Button>
          )}
        </div>
      </div>
      {isOpen && <WhatChanged site={site} snapshot={id} />}
    </li>
  );
}

function WhatChanged({ site, snapshot }: { site: string; snapshot: string }) {
  const { data, error } = useQuery(snapshotDiffQuery(site, snapshot));
  if (error) return <Problem error={error} />;
  if (!data) return <Skeleton rows={1} />;
  if (data.changes.length === 0) return <p className={styles.facts}>{texts.unreadable}</p>;
  return (
    <>
      <Changes changes={data.changes} site={site} />
      {data.cut && <p className={styles.facts}>{texts.cut}</p>}
    </>
  );
}
