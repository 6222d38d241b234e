import type { Role } from '@cloudhal/shared/policy';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { change, read } from './client.ts';

export type Member = { id: string; name: string; role: Role; email: string | null; createdAt: string };
export type OpenInvitation = {
  id: string;
  role: Role;
  email: string | null;
  createdBy: string;
  createdAt: string;
  expiresAt: string;
};
export type Invited = { id: string; role: Role; url: string; expiresAt: string; mailed: boolean };

export const peopleQuery = queryOptions({
  queryKey: ['people', 'list'],
  queryFn: async ({ signal }) => (await read<{ people: Member[] }>('people', { signal })).people,
  staleTime: 60_000,
});

/** For owners. */
export const invitationsQuery = queryOptions({
  queryKey: ['people', 'invitations'],
  queryFn: async ({ signal }) =>
    (await read<{ invitations: OpenInvitation[] }>('people/invitations', { signal })).invitations,
});

const path = (id: string) => `people/${encodeURIComponent(id)}`;

export const invite = (role: Role, email: string) =>
  change<Invited>('POST', 'people/invitations', { role, ...(email !== '' && { email }) });
export const withdrawInvitation = (id: string) =>
  change<void>('DELETE', `people/invitations/${encodeURIComponent(id)}`);
export const changeRole = (id: string, role: Role) => change<{ person: Member }>('PATCH', path(id), { role });
export const removePerson = (id: string) => change<void>('DELETE', path(id));

/** Gives the name of somebody by their id, such as `usr_1` or `person:usr_1`; the id itself where nobody has it. */
export function useNames(): (id: string) => string {
  const { data = [] } = useQuery(peopleQuery);
  return (id) => {
    const own = id.replace(/^person:/, '');
    return data.find((member) => member.id === own)?.name ?? id;
  };
}
