import { Compass } from 'lucide-react';
import { EmptyState } from '../components/empty-state.tsx';
import { LinkButton } from '../components/link-button.tsx';
import { Page } from '../components/page.tsx';
import { texts } from '../texts/index.ts';

export function NotFound() {
  const { title, text, action } = texts.shell.notFound;
  return (
    <Page title={title}>
      <EmptyState icon={Compass} title="404" action={<LinkButton to="/approvals">{action}</LinkButton>}>
        {text}
      </EmptyState>
    </Page>
  );
}
