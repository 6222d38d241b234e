import type { Role } from '@cloudhal/shared/policy';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from './client.ts';

export type Member = { id: string; name: string; role: Role; email: string | null; createdAt: string };

export const peopleQuery = queryOptions({
  queryKey: ['people', 'list'],
  queryFn: async ({ signal }) => (await read<{ people: Member[] }>('people', { signal })).people,
  staleTime: 60_000,
});

/** Gives the name of somebody by their id, such as `usr_1` or `person:usr_1`; the id itself where nobody has it. */
export function useNames(): (id: string) => string {
  const { data = [] } = useQuery(peopleQuery);
  return (id) => {
    const own = id.replace(/^person:/, '');
    return data.find((member) => member.id === own)?.name ?? id;
  };
}
