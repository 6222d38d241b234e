import { History, SearchX } from 'lucide-react';
import { Suspense } from 'react';
import type { Filter } from '../../api/activity.ts';
import { usePerson } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { activity as texts } from '../../texts/activity.ts';
import styles from './activity-list.module.css';
import { EntryRow } from './entry-row.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Filters } from './filters.tsx';
import { RecordPanel } from './record-panel.tsx';
import { idOf, useEntries } from './use-entries.ts';
import { useFilter } from './use-filter.ts';

/** What happened, newest first and live, as far as one may see it. */
export function ActivityList() {
  const [filter, setFilter] = useFilter();
  const { role } = usePerson();
  return (
    <Page title={texts.title} lead={texts.lead} actions={<ExportMenu filter={filter} />} wide>
      {(role === 'owner' || role === 'auditor') && <RecordPanel />}
      <Filters filter={filter} onChange={setFilter} />
      <Suspense key={JSON.stringify(filter)} fallback={<Skeleton rows={8} height="3.5rem" />}>
        <Entries filter={filter} onClear={(cleared) => setFilter(cleared)} />
      </Suspense>
    </Page>
  );
}

function Entries({ filter, onClear }: { filter: Filter; onClear: (cleared: Filter) => void }) {
  const { entries, hasMore, isReading, readMore, isApart, startOver } = useEntries(filter);
  if (entries.length === 0) return <Nothing filter={filter} onClear={onClear} />;
  return (
    <>
      {isApart && (
        <p className={styles.apart} role="status">
          {texts.newer}
          <Button size="s" onPress={startOver}>
            {texts.showNewer}
          </Button>
        </p>
      )}
      <ol className={styles.list} aria-label={texts.list}>
        {entries.map(({ event }) => (
          <li key={idOf(event)}>
            <EntryRow event={event} />
          </li>
        ))}
      </ol>
      {hasMore && (
        <div className={styles.more}>
          <Button isPending={isReading} onPress={readMore}>
            {texts.more}
          </Button>
        </div>
      )}
    </>
  );
}

function Nothing({ filter, onClear }: { filter: Filter; onClear: (cleared: Filter) => void }) {
  const names = Object.keys(filter) as (keyof Filter)[];
  if (names.length === 0) {
    const { title, text, action } = texts.empty;
    return (
      <EmptyState icon={History} title={title} action={<LinkButton to="/agents/new">{action}</LinkButton>}>
        {text}
      </EmptyState>
    );
  }
  const { title, text, action } = texts.emptyFiltered;
  const cleared = Object.fromEntries(names.map((name) => [name, '']));
  return (
    <EmptyState icon={SearchX} title={title} action={<Button onPress={() => onClear(cleared)}>{action}</Button>}>
      {text}
    </EmptyState>
  );
}
