import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { Suspense } from 'react';
import { Outlet, useParams } from 'react-router';
import { gatewayUrl } from '../../api/base.ts';
import { commentsQuery } from '../../api/comments.ts';
import { siteQuery } from '../../api/content.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TabLinks } from '../../components/tabs.tsx';
import { sites as texts } from '../../texts/sites.ts';
import styles from './sites.module.css';

/** The frame around the parts of one site. */
export function SitePage() {
  const { site: id = '' } = useParams();
  const { data: site } = useSuspenseQuery(siteQuery(id));
  // Of the first page of them: a number to say that there are some.
  const waiting = useInfiniteQuery(commentsQuery(id, 'pending')).data?.pages[0]?.comments.length ?? 0;
  const to = (part: string) => `/sites/${id}${part}`;
  const { tabs } = texts;
  return (
    <Page
      title={<ShownParts text={site.title} />}
      windowTitle={texts.title}
      wide
      before={<BackLink to="/sites">{texts.back}</BackLink>}
      actions={
        <a className={styles.live} href={gatewayUrl(`sites/${site.slug}/`)} target="_blank" rel="noreferrer">
          {texts.live}
          <ExternalLink aria-hidden="true" />
        </a>
      }
    >
      <TabLinks
        label={tabs.label}
        tabs={[
          { to: to(''), label: tabs.entries, end: true },
          { to: to('/pages'), label: tabs.pages },
          { to: to('/releases'), label: tabs.releases },
          { to: to('/media'), label: tabs.media },
          { to: to('/comments'), label: tabs.comments, count: waiting },
          { to: to('/history'), label: tabs.history },
          { to: to('/trash'), label: tabs.trash },
          { to: to('/settings'), label: tabs.settings },
          { to: to('/rules'), label: tabs.rules },
        ]}
      />
      <Suspense fallback={<Skeleton rows={4} height="3.5rem" />}>
        <Outlet />
      </Suspense>
    </Page>
  );
}
