import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { type Deleted, type Kind, restore, trashQuery } from '../../api/trash.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { Row, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { trash as texts } from '../../texts/pages.ts';
import { sites } from '../../texts/sites.ts';
import { useMayChange } from './may.ts';
import { MoreButton } from './more-button.tsx';
import styles from './sites.module.css';

/** What was deleted on a site, by kind, to be brought back. */
export function Trash() {
  const { site = '' } = useParams();
  const mayChange = useMayChange();
  const [restored, setRestored] = useState<{ kind: Kind; id: string }>();
  const lists = {
    entry: useInfiniteQuery(trashQuery(site, 'entry')),
    page: useInfiniteQuery(trashQuery(site, 'page')),
    asset: useInfiniteQuery(trashQuery(site, 'asset')),
  };
  const shown = (Object.keys(lists) as Kind[]).map((kind) => {
    const list = lists[kind];
    return { kind, list, deleted: list.data?.pages.flatMap((page) => page.deleted) };
  });
  const isEmpty = shown.every(({ deleted }) => deleted?.length === 0);
  return (
    <div className={styles.part}>
      <p className={styles.lead}>{mayChange ? texts.lead : `${texts.lead} ${sites.mayNotChange}`}</p>
      {restored && (
        <Notice>
          {texts.restored} <Link to={placeOf(site, restored)}>{texts.open}</Link>
        </Notice>
      )}
      {isEmpty && (
        <EmptyState icon={Trash2} title={texts.empty.title}>
          {texts.empty.text}
        </EmptyState>
      )}
      {shown.map(({ kind, list, deleted }) => {
        if (list.error) return <Problem key={kind} error={list.error} />;
        if (!deleted) return <Skeleton key={kind} rows={2} height="4rem" />;
        if (deleted.length === 0) return null;
        return (
          <Section key={kind} title={texts.kinds[kind]}>
            <Rows label={texts.kinds[kind]}>
              {deleted.map((node) => (
                <DeletedRow
                  key={node.id}
                  site={site}
                  node={node}
                  onRestored={() => setRestored({ kind, id: node.id })}
                />
              ))}
            </Rows>
            <MoreButton list={list} />
          </Section>
        );
      })}
    </div>
  );
}

function DeletedRow({ site, node, onRestored }: { site: string; node: Deleted; onRestored: () => void }) {
  const { id, title, path, updatedAt, updatedBy } = node;
  const client = useQueryClient();
  const mayChange = useMayChange();
  const restoring = useMutation({
    mutationFn: () => restore(site, id),
    onSuccess: onRestored,
    onSettled: () => client.invalidateQueries({ queryKey: ['sites', site] }),
  });
  return (
    <Row
      title={<Quoted text={title || id} />}
      facts={
        <>
          {path !== undefined && <ShownParts text={path} />}
          <span>
            {texts.deleted} <Time at={updatedAt} /> {texts.by} <Quoted text={updatedBy} most={40} />
          </span>
          {restoring.error && <Problem error={restoring.error} />}
        </>
      }
    >
      {mayChange && (
        <Button
          size="s"
          aria-label={texts.restoreOf(plainText(title || id))}
          isPending={restoring.isPending}
          onPress={() => restoring.mutate()}
        >
          {texts.restore}
        </Button>
      )}
    </Row>
  );
}

function placeOf(site: string, { kind, id }: { kind: Kind; id: string }): string {
  return kind === 'asset' ? `/sites/${site}/media` : `/sites/${site}/${kind === 'page' ? 'pages' : 'entries'}/${id}`;
}
