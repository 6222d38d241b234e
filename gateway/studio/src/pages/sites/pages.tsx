import { useInfiniteQuery } from '@tanstack/react-query';
import { PanelsTopLeft, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { type PageRow, type PublishWhat, pagesQuery } from '../../api/content.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PreviewButton } from '../../components/preview-button.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { page } from '../../texts/pages.ts';
import { pages as texts } from '../../texts/sites.ts';
import { useMayChange, useMayPreview } from './may.ts';
import { MoreButton } from './more-button.tsx';
import { NewPageDialog } from './new-page-dialog.tsx';
import styles from './pages.module.css';
import { PublishDialog } from './publish-dialog.tsx';
import shared from './sites.module.css';

/** The pages of a site as the tree that their addresses make. */
export function Pages() {
  const { site = '' } = useParams();
  const list = useInfiniteQuery(pagesQuery(site));
  const [publishing, setPublishing] = useState<PublishWhat>();
  const [isMaking, setMaking] = useState(false);
  const mayChange = useMayChange();
  const pages = list.data?.pages.flatMap(({ data }) => data.pages);
  return (
    <div className={shared.part}>
      {mayChange && (
        <div className={shared.tools}>
          <Button onPress={() => setPublishing('all')}>{texts.publishAll}</Button>
          <Button onPress={() => setMaking(true)}>
            <Plus aria-hidden="true" />
            {page.fresh.action}
          </Button>
        </div>
      )}
      {list.error && <Problem error={list.error} />}
      {!pages && !list.error && <Skeleton rows={5} height="3.5rem" />}
      {pages?.length === 0 && (
        <EmptyState icon={PanelsTopLeft} title={texts.empty.title}>
          {texts.empty.text}
        </EmptyState>
      )}
      {pages && pages.length > 0 && (
        <ul className={shared.rows} aria-label={texts.list}>
          {pages.map((row) => (
            <Row key={row.id} site={site} row={row} onPublish={() => setPublishing({ node: row.id })} />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
      {isMaking && <NewPageDialog site={site} onClose={() => setMaking(false)} />}
      {publishing && <PublishDialog site={site} what={publishing} onClose={() => setPublishing(undefined)} />}
    </div>
  );
}

function Row({ site, row, onPublish }: { site: string; row: PageRow; onPublish: () => void }) {
  const { id, path, title, status, updatedAt } = row;
  const [mayChange, mayPreview] = [useMayChange(), useMayPreview()];
  const level = Math.min(path.split('/').filter(Boolean).length - 1, 5);
  return (
    <li className={shared.row}>
      <div className={`${shared.name} ${styles.name}`} data-level={level}>
        <Link to={`/sites/${site}/pages/${id}`}>{title === '' ? page.untitled : <Quoted text={title} />}</Link>
        <p className={shared.facts}>
          <ShownParts text={path} />
          <span>
            {texts.changed} <Time at={updatedAt} />
          </span>
        </p>
      </div>
      <div className={shared.does}>
        <StatusBadge status={status} />
        {mayPreview && status !== 'trash' && <PreviewButton site={site} node={id} />}
        {mayChange && (status === 'draft' || status === 'changed') && (
          <Button size="s" onPress={onPublish}>
            {texts.publish}
          </Button>
        )}
      </div>
    </li>
  );
}
