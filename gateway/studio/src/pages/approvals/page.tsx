import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { approvalsQuery } from '../../api/approvals.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Time } from '../../components/time.tsx';
import { approvals as texts } from '../../texts/approvals.ts';

export default function ApprovalsPage() {
  const { data } = useSuspenseInfiniteQuery(approvalsQuery('pending'));
  const approvals = data.pages.flatMap((page) => page.approvals);
  return (
    <Page title={texts.title} lead={texts.lead}>
      {approvals.length === 0 && (
        <EmptyState icon={Inbox} title={texts.empty.title}>
          {texts.empty.text}
        </EmptyState>
      )}
      {approvals.map(({ id, summary, createdAt }) => (
        <article key={id}>
          <h2>
            <Quoted text={summary.title} />
          </h2>
          <Quoted as="block" text={summary.lines.join('\n')} />
          <Time at={createdAt} />
        </article>
      ))}
    </Page>
  );
}
