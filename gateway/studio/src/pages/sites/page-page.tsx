import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { FieldSchema } from '../../api/content.ts';
import { pageFields, pageQuery, type SitePage, savePage, sectionTypesQuery } from '../../api/pages.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PreviewButton } from '../../components/preview-button.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Section } from '../../components/section.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { page as texts } from '../../texts/pages.ts';
import { sites } from '../../texts/sites.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import styles from './entry-page.module.css';
import { Fields } from './field-group.tsx';
import { useMayChange, useMayPreview } from './may.ts';
import { fieldsAlone } from './merge-entry.ts';
import { MovePageDialog } from './move-page-dialog.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { SectionList } from './section-list.tsx';
import { UnpublishDialog } from './unpublish-dialog.tsx';
import { useWritten } from './use-written.ts';
import { WrittenForm } from './written-form.tsx';

/** One page: what it is made of, where it stands, and what can be done with it. */
export function PagePage() {
  const { site: id = '', page = '' } = useParams();
  // Another one is another page: nothing of the one before stays.
  return <PageById key={`${id} ${page}`} site={id} id={page} />;
}

function PageById({ site: siteId, id }: { site: string; id: string }) {
  const { data: page } = useSuspenseQuery(pageQuery(siteId, id));
  const { data: types } = useSuspenseQuery(sectionTypesQuery(siteId));
  const mayChange = useMayChange();
  return (
    <Page
      title={page.title === '' ? texts.untitled : <Quoted text={page.title} most={200} />}
      windowTitle={sites.title}
      wide
      before={<BackLink to={`/sites/${siteId}/pages`}>{texts.back}</BackLink>}
    >
      <div className={styles.columns}>
        <div className={styles.main}>
          {page.embargo && (
            <Notice tone="warn">
              {texts.embargo} <Time at={page.embargo} />.
            </Notice>
          )}
          <SectionList site={siteId} page={page} types={types} />
          {mayChange && <About site={siteId} page={page} />}
        </div>
        <aside className={styles.aside}>
          <Actions site={siteId} page={page} />
          <Facts
            rows={[
              [texts.facts.status, <StatusBadge key="status" status={page.status} />],
              [
                texts.facts.address,
                <code key="path">
                  <ShownParts text={page.path} />
                </code>,
              ],
              [texts.facts.language, page.locale],
              [texts.facts.rev, String(page.rev)],
            ]}
          />
        </aside>
      </div>
    </Page>
  );
}

const about: { properties: Record<string, FieldSchema>; required: string[] } = {
  properties: {
    title: { type: 'string', title: texts.about.name, maxLength: 300 },
    'seo.title': {
      type: 'string',
      title: texts.about.seoTitle,
      description: texts.about.seoTitleHint,
      maxLength: 200,
    },
    'seo.description': { type: 'string', title: texts.about.seoDescription, maxLength: 500 },
    'seo.noindex': { type: 'boolean', title: texts.about.noindex },
  },
  required: ['title'],
};

function About({ site: siteId, page }: { site: string; page: SitePage }) {
  const editing = useWritten({
    site: siteId,
    place: `${siteId} ${page.id}`,
    newest: { rev: page.rev, ...fieldsAlone(pageFields(page)) },
    save: async (rev, change) => (await savePage({ site: siteId, page: page.id, rev }, change)).data.rev,
  });
  return (
    <Section title={texts.about.title}>
      <WrittenForm site={siteId} node={page.id} editing={editing}>
        <Fields schema={about} value={editing.written.fields} onChange={(fields) => editing.write({ fields })} />
      </WrittenForm>
    </Section>
  );
}

function Actions({ site: siteId, page }: { site: string; page: SitePage }) {
  const { id, rev, status } = page;
  const [asking, setAsking] = useState<'publish' | 'unpublish' | 'move' | 'delete'>();
  const [mayChange, mayPreview] = [useMayChange(), useMayPreview()];
  const navigate = useNavigate();
  const close = () => setAsking(undefined);
  const isLive = status === 'published' || status === 'changed';
  const isWaiting = status === 'draft' || status === 'changed';
  return (
    <div className={styles.actions}>
      {mayChange && isWaiting && <Button onPress={() => setAsking('publish')}>{texts.publish}</Button>}
      {mayPreview && <PreviewButton site={siteId} node={id} size="m" />}
      <LinkButton to={`/sites/${siteId}/history?node=${id}`}>{texts.history}</LinkButton>
      {mayChange && <Button onPress={() => setAsking('move')}>{texts.move}</Button>}
      {mayChange && isLive && (
        <Button look="danger" onPress={() => setAsking('unpublish')}>
          {texts.unpublish}
        </Button>
      )}
      {mayChange && (
        <Button look="danger" onPress={() => setAsking('delete')}>
          {texts.delete}
        </Button>
      )}
      {!mayChange && <p className={styles.note}>{sites.mayNotChange}</p>}
      {asking === 'publish' && <PublishDialog site={siteId} what={{ node: id }} onClose={close} />}
      {asking === 'move' && <MovePageDialog site={siteId} page={page} onClose={close} />}
      {asking === 'unpublish' && <UnpublishDialog site={siteId} node={{ id, rev }} onClose={close} />}
      {asking === 'delete' && (
        <DeleteDialog
          site={siteId}
          node={{ kind: 'page', id, rev }}
          isLive={isLive}
          onDone={() => navigate(`/sites/${siteId}/trash`)}
          onClose={close}
        />
      )}
    </div>
  );
}
