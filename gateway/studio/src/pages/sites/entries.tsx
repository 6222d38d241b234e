import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { FileText, Plus, SearchX } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { type EntryRow, entriesQuery, type Status, siteQuery } from '../../api/content.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Select } from '../../components/select.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { sites, entries as texts } from '../../texts/sites.ts';
import { useMayChange } from './may.ts';
import { MoreButton } from './more-button.tsx';
import { NewEntryDialog } from './new-entry-dialog.tsx';
import { SearchField } from './search-field.tsx';
import styles from './sites.module.css';

const statuses = ['draft', 'changed', 'published'] as const;

/** Entries of one type; what is looked for stands in the address, so that one comes back to it. */
export function Entries() {
  const { site = '' } = useParams();
  const { data: head } = useSuspenseQuery(siteQuery(site));
  const [query, setQuery] = useSearchParams();
  const [isMaking, setMaking] = useState(false);
  const mayChange = useMayChange();
  const type = query.get('type') ?? head.contentTypes[0]?.name ?? 'article';
  const status = statuses.find((one) => one === query.get('status'));
  const contains = query.get('title') ?? '';
  const list = useInfiniteQuery({
    ...entriesQuery(site, { type, status, contains }),
    placeholderData: keepPreviousData,
  });
  const set = (name: string, value: string) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const make = mayChange && (
    <Button onPress={() => setMaking(true)}>
      <Plus aria-hidden="true" />
      {texts.fresh.action}
    </Button>
  );
  const rows = list.data?.pages.flatMap((page) => page.entries);
  const isFiltered = status !== undefined || contains !== '';
  return (
    <div className={styles.part}>
      <div className={styles.tools}>
        {head.contentTypes.length > 1 && (
          <div className={styles.field}>
            <Select
              label={texts.type}
              value={type}
              onChange={(name) => set('type', name)}
              options={head.contentTypes.map(({ name, title }) => ({ value: name, label: title }))}
            />
          </div>
        )}
        <div className={styles.field}>
          <Select
            label={texts.status}
            value={status ?? 'all'}
            onChange={(value) => set('status', value === 'all' ? '' : value)}
            options={[
              { value: 'all', label: texts.allStatuses },
              ...statuses.map((value: Status) => ({ value, label: sites.status(value) })),
            ]}
          />
        </div>
        <SearchField label={texts.search} value={contains} onSearch={(text) => set('title', text)} />
        {make}
      </div>
      {list.error && <Problem error={list.error} />}
      {rows === undefined && !list.error && <Skeleton rows={5} height="3.5rem" />}
      {rows && (
        <p className="visually-hidden" role="status">
          {texts.found(rows.length, list.hasNextPage)}
        </p>
      )}
      {rows?.length === 0 && (
        <EmptyState icon={isFiltered ? SearchX : FileText} title={isFiltered ? texts.none.title : texts.empty.title}>
          {isFiltered ? texts.none.text : texts.empty.text}
        </EmptyState>
      )}
      {rows && rows.length > 0 && (
        <ul className={styles.rows} aria-label={sites.tabs.entries}>
          {rows.map((entry) => (
            <Row key={entry.id} site={site} entry={entry} showsLocale={head.locales.length > 1} />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
      {isMaking && <NewEntryDialog site={site} type={type} onClose={() => setMaking(false)} />}
    </div>
  );
}

function Row({ site, entry, showsLocale }: { site: string; entry: EntryRow; showsLocale: boolean }) {
  const { id, title, status, locale, updatedAt, isImported } = entry;
  return (
    <li className={styles.row}>
      <div className={styles.name}>
        <Link to={`/sites/${site}/entries/${id}`}>{title === '' ? texts.untitled : <Quoted text={title} />}</Link>
        <p className={styles.facts}>
          <span>
            {texts.changed} <Time at={updatedAt} />
          </span>
          {showsLocale && <span>{locale}</span>}
          {isImported && <Badge tone="warn">{texts.imported}</Badge>}
        </p>
      </div>
      <StatusBadge status={status} />
    </li>
  );
}
