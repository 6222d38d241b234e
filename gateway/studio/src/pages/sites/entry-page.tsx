import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { contentTypeQuery, type Entry, entryQuery } from '../../api/content.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PreviewButton } from '../../components/preview-button.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { deleting } from '../../texts/pages.ts';
import { sites, entries as texts } from '../../texts/sites.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { EntryEditor } from './entry-editor.tsx';
import styles from './entry-page.module.css';
import { useMayChange, useMayPreview } from './may.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { UnpublishDialog } from './unpublish-dialog.tsx';

/** One entry: its text, where it stands, and what can be done with it. */
export function EntryPage() {
  const { site: id = '', entry = '' } = useParams();
  // Another one is another page: nothing of the one before stays.
  return <EntryById key={`${id} ${entry}`} site={id} id={entry} />;
}

function EntryById({ site: siteId, id }: { site: string; id: string }) {
  const { data: entry } = useSuspenseQuery(entryQuery(siteId, id));
  const { data: type } = useSuspenseQuery(contentTypeQuery(siteId, entry.type));
  const words = texts.page;
  const title = typeof entry.fields.title === 'string' ? entry.fields.title : '';
  return (
    <Page
      title={title === '' ? texts.untitled : <Quoted text={title} most={200} />}
      windowTitle={sites.title}
      wide
      before={<BackLink to={`/sites/${siteId}?type=${encodeURIComponent(entry.type)}`}>{words.back}</BackLink>}
    >
      <div className={styles.columns}>
        <div className={styles.main}>
          {entry.isImported && <Notice tone="warn">{words.untrusted}</Notice>}
          {entry.embargo && (
            <Notice tone="warn">
              {words.embargo} <Time at={entry.embargo} />.
            </Notice>
          )}
          <EntryEditor site={siteId} newest={entry} type={type} />
        </div>
        <aside className={styles.aside}>
          <Actions site={siteId} entry={entry} />
          <Facts
            rows={[
              [words.facts.status, <StatusBadge key="status" status={entry.status} />],
              entry.path !== undefined && [words.facts.address, <code key="path">{entry.path}</code>],
              [words.facts.language, entry.locale],
              [words.facts.rev, String(entry.rev)],
            ]}
          />
        </aside>
      </div>
    </Page>
  );
}

function Actions({ site: siteId, entry }: { site: string; entry: Entry }) {
  const [asking, setAsking] = useState<'publish' | 'unpublish' | 'delete'>();
  const navigate = useNavigate();
  const [mayChange, mayPreview] = [useMayChange(), useMayPreview()];
  const words = texts.page;
  const isLive = entry.status === 'published' || entry.status === 'changed';
  const isWaiting = entry.status === 'draft' || entry.status === 'changed';
  return (
    <div className={styles.actions}>
      {mayChange && isWaiting && <Button onPress={() => setAsking('publish')}>{words.publish}</Button>}
      {mayPreview && entry.status !== 'trash' && <PreviewButton site={siteId} node={entry.id} size="m" />}
      <LinkButton to={`/sites/${siteId}/history?node=${entry.id}`}>{words.history}</LinkButton>
      {mayChange && isLive && (
        <Button look="danger" onPress={() => setAsking('unpublish')}>
          {words.unpublish}
        </Button>
      )}
      {mayChange && entry.status !== 'trash' && (
        <Button look="danger" onPress={() => setAsking('delete')}>
          {deleting.action}
        </Button>
      )}
      {!mayChange && <p className={styles.note}>{sites.mayNotChange}</p>}
      {asking === 'publish' && (
        <PublishDialog site={siteId} what={{ node: entry.id }} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'delete' && (
        <DeleteDialog
          site={siteId}
          node={{ kind: 'entry', id: entry.id, rev: entry.rev }}
          isLive={isLive}
          onDone={() => navigate(`/sites/${siteId}/trash`)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'unpublish' && <UnpublishDialog site={siteId} node={entry} onClose={() => setAsking(undefined)} />}
    </div>
  );
}
