import { Route, Routes } from 'react-router';
import { usePendingCount } from '../../api/approvals.ts';
import { useRequestedElevations } from '../../api/waiting.ts';
import { Page } from '../../components/page.tsx';
import { TabLinks } from '../../components/tabs.tsx';
import { approvals as texts } from '../../texts/approvals.ts';
import { ApprovalList } from './approval-list.tsx';
import { ApprovalPage } from './approval-page.tsx';
import { Elevations } from './elevations.tsx';

const decided = 'approved,consumed,succeeded,failed,aborted,rejected,expired,stale,withdrawn,revoked';

export default function ApprovalsPage() {
  return (
    <Routes>
      <Route
        index
        element={
          <Inbox>
            <ApprovalList state="pending" />
          </Inbox>
        }
      />
      <Route
        path="decided"
        element={
          <Inbox>
            <ApprovalList state={decided} />
          </Inbox>
        }
      />
      <Route
        path="elevations"
        element={
          <Inbox>
            <Elevations />
          </Inbox>
        }
      />
      <Route path=":id" element={<ApprovalPage />} />
    </Routes>
  );
}

function Inbox({ children }: { children: React.ReactNode }) {
  const waiting = usePendingCount();
  const requested = useRequestedElevations();
  const { label, waiting: first, decided: second, elevations: third } = texts.tabs;
  return (
    <Page title={texts.title} lead={texts.lead}>
      <TabLinks
        label={label}
        tabs={[
          { to: '/approvals', label: first, count: waiting, end: true },
          { to: '/approvals/decided', label: second },
          { to: '/approvals/elevations', label: third, count: requested },
        ]}
      />
      {children}
    </Page>
  );
}
