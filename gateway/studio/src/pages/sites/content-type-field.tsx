import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { siteQuery } from '../../api/content.ts';
import { plainText } from '../../components/quoted-parts.ts';
import { Select } from '../../components/select.tsx';

type ContentTypeFieldProps = { label: string; hint: ReactNode; value: unknown; onChange: (value: string) => void };

/** One of the types that entries of the site have. */
export function ContentTypeField({ label, hint, value, onChange }: ContentTypeFieldProps) {
  const { site = '' } = useParams();
  const { data } = useQuery(siteQuery(site));
  const types = data?.contentTypes ?? [];
  const chosen = typeof value === 'string' ? value : '';
  const isKnown = types.some(({ name }) => name === chosen);
  return (
    <Select
      label={label}
      hint={hint}
      value={chosen}
      onChange={onChange}
      options={[
        // What is there stays to be seen, also where there is no such type any more.
        ...(isKnown ? [] : [{ value: chosen, label: plainText(chosen) || '–' }]),
        ...types.map(({ name, title, description }) => ({ value: name, label: title, hint: description })),
      ]}
    />
  );
}
