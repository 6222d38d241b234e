import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContentType, Entry } from '../../api/content.ts';
import { foundTermsQuery, type Taxonomy, taxonomiesQuery, termLabelsQuery, useWriters } from '../../api/naming.ts';
import { slugsOf, withSlugs } from '../../api/term-refs.ts';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { usePaused } from '../../components/use-paused.ts';
import { entries as texts } from '../../texts/sites.ts';
import { NamedList } from './named-list.tsx';

type Named = Pick<Entry, 'terms' | 'bylines'>;
type NamingProps = { site: string; type: ContentType; named: Named; onChange: (named: Partial<Named>) => void };

/** The terms that an entry is sorted by, one list for each taxonomy of its type, and who wrote it. */
export function Naming({ site, type, named: { terms, bylines }, onChange }: NamingProps) {
  const { data: taxonomies, error } = useQuery(taxonomiesQuery(site, type.name));
  if (error) return <Problem error={error} />;
  if (!taxonomies) return <Skeleton rows={2} />;
  return (
    <>
      <Bylines site={site} value={bylines} onChange={(next) => onChange({ bylines: next })} />
      {taxonomies.map((taxonomy) => (
        <Terms
          key={taxonomy.name}
          site={site}
          taxonomy={taxonomy}
          value={slugsOf(terms, taxonomy.name)}
          onChange={(slugs) => onChange({ terms: withSlugs(terms, taxonomy.name, slugs) })}
        />
      ))}
    </>
  );
}

type ListProps = { site: string; value: string[]; onChange: (value: string[]) => void };

function Bylines({ site, value, onChange }: ListProps) {
  const [q, setQ] = useState('');
  const { people, nameOf } = useWriters(site);
  const found = people?.filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(q.trim().toLowerCase()));
  return (
    <NamedList
      label={texts.page.bylines}
      hint={texts.page.bylinesHint}
      isOrdered
      value={value}
      onChange={onChange}
      nameOf={nameOf}
      onSearch={setQ}
      options={found?.map(({ id, name, role, slug }) => ({
        value: id,
        label: plainText(name),
        hint: plainText(role ?? slug),
      }))}
    />
  );
}

function Terms({ site, taxonomy: { name, title }, value, onChange }: ListProps & { taxonomy: Taxonomy }) {
  // Nothing is looked for until the person does.
  const [q, setQ] = useState<string>();
  const wanted = usePaused(q?.trim() ?? '');
  const { data: found } = useQuery({
    ...foundTermsQuery(site, name, wanted),
    enabled: q !== undefined,
    placeholderData: keepPreviousData,
  });
  const nameOf = useTermNames(site, name, value);
  return (
    <NamedList
      label={plainText(title)}
      value={value}
      onChange={onChange}
      nameOf={(slug) => found?.find((term) => term.slug === slug)?.label ?? nameOf(slug)}
      onSearch={setQ}
      options={found?.map(({ slug, label }) => ({ value: slug, label: plainText(label), hint: slug }))}
    />
  );
}

/** The same, to be read. */
export function NamingRead({ site, type, named: { terms, bylines } }: Omit<NamingProps, 'onChange'>) {
  const { data: taxonomies = [] } = useQuery(taxonomiesQuery(site, type.name));
  const { nameOf } = useWriters(site);
  return (
    <>
      <Names label={texts.page.bylines} names={bylines.map(nameOf)} />
      {taxonomies.map(({ name, title }) => (
        <TermNames key={name} site={site} taxonomy={name} label={plainText(title)} slugs={slugsOf(terms, name)} />
      ))}
    </>
  );
}

function TermNames({ label, slugs, ...of }: { site: string; taxonomy: string; label: string; slugs: string[] }) {
  const nameOf = useTermNames(of.site, of.taxonomy, slugs);
  return <Names label={label} names={slugs.map(nameOf)} />;
}

function Names({ label, names }: { label: string; names: string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Quoted text={names.join(', ')} most={400} />
      </dd>
    </div>
  );
}

function useTermNames(site: string, taxonomy: string, slugs: string[]) {
  const { data: labels } = useQuery({ ...termLabelsQuery(site, taxonomy, slugs), placeholderData: keepPreviousData });
  return (slug: string) => labels?.get(slug) ?? slug;
}
