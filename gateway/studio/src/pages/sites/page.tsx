import { Route, Routes } from 'react-router';
import { Comments } from './comments.tsx';
import { Entries } from './entries.tsx';
import { EntryPage } from './entry-page.tsx';
import { History } from './history.tsx';
import { Media } from './media.tsx';
import { PagePage } from './page-page.tsx';
import { Pages } from './pages.tsx';
import { Releases } from './releases.tsx';
import { Rules } from './rules.tsx';
import { Settings } from './settings.tsx';
import { SitePage } from './site-page.tsx';
import { SitesList } from './sites-list.tsx';
import { Trash } from './trash.tsx';

export default function SitesPage() {
  return (
    <Routes>
      <Route index element={<SitesList />} />
      <Route path=":site/entries/:entry" element={<EntryPage />} />
      <Route path=":site/pages/:page" element={<PagePage />} />
      <Route path=":site" element={<SitePage />}>
        <Route index element={<Entries />} />
        <Route path="pages" element={<Pages />} />
        <Route path="releases" element={<Releases />} />
        <Route path="media" element={<Media />} />
        <Route path="comments" element={<Comments />} />
        <Route path="history" element={<History />} />
        <Route path="trash" element={<Trash />} />
        <Route path="settings" element={<Settings />} />
        <Route path="rules" element={<Rules />} />
      </Route>
    </Routes>
  );
}
