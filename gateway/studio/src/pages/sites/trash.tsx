import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
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
  const client = useQueryClient();
  const restoring = useMutation({
    mutationFn: (id: string) => restore(site, id),
    onSettled: () => client.invalidateQueries({ queryKey: ['sites', site] }),
  });
  const restored = restoring.data?.data;
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
      {restoring.error && <Problem error={restoring.error} />}
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
                  node={node}
                  isPending={restoring.isPending && restoring.variables === node.id}
                  onRestore={() => restoring.mutate(node.id)}
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

type DeletedRowProps = { node: Deleted; isPending: boolean; onRestore: () => void };

function DeletedRow({ node: { id, title, path, updatedAt, updatedBy }, isPending, onRestore }: DeletedRowProps) {
  const mayChange = useMayChange();
  return (
    <Row
      title={<Quoted text={title || id} />}
      facts={
        <>
          {path !== undefined && <ShownParts text={path} />}
          <span>
            {texts.deleted} <Time at={updatedAt} /> {texts.by} <Quoted text={updatedBy} most={40} />
          </span>
        </>
      }
    >
      {mayChange && (
        <Button size="s" aria-label={texts.restoreOf(plainText(title || id))} isPending={isPending} onPress={onRestore}>
          {texts.restore}
        </Button>
      )}
    </Row>
  );
}

function placeOf(site: string, { kind, id }: { kind: Kind; id: string }): string {
  return kind === 'asset' ? `/sites/${site}/media` : `/sites/${site}/${kind === 'page' ? 'pages' : 'entries'}/${id}`;
}
