import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { type Filter, filterNames } from '../../api/activity.ts';

/** What is looked for, kept in the address: a link to it shows the same to somebody else. */
export function useFilter(): [Filter, (change: Filter) => void] {
  const [query, setQuery] = useSearchParams();
  const text = query.toString();
  const filter = useMemo<Filter>(() => {
    const given = new URLSearchParams(text);
    return Object.fromEntries(filterNames.flatMap((name) => (given.get(name) ? [[name, given.get(name)!]] : [])));
  }, [text]);
  const setFilter = (change: Filter) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value);
    setQuery(Object.fromEntries(next) as Record<string, string>, { replace: true });
  };
  return [filter, setFilter];
}
