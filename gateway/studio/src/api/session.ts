import type { Role } from '@cloudhal/shared/policy';
import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { change, read } from './client.ts';
import { codeOf } from './errors.ts';

export type Session = {
  person: { id: string; name: string; role: Role; email: string };
  recentSignIn: boolean;
};

/** `null`: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await read<Session>('session', { signal });
    } catch (error) {
      if (codeOf(error) === 'sign_in_required') return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Who is signed in. Only below the shell, where somebody is. */
export function usePerson(): Session['person'] {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error('Nobody is signed in.');
  return data.person;
}

export function useSession() {
  return useQuery(sessionQuery);
}

/** Whoever used this page is gone, and with them what they saw. */
export function forgetPerson(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' || queryKey.length > 1 });
}

export const signIn = (credentials: { email: string; password: string }) =>
  change<{ person: { id: string; name: string } }>('POST', 'auth/sign-in/email', credentials);

export const signOut = () => change<void>('POST', 'auth/sign-out');

export type Invitation = { role: Role; firstOwner: boolean };
export const readInvitation = (token: string) =>
  change<{ invitation: Invitation }>('POST', 'join/invitation', { token });

export type NewAccount = { token: string; name: string; email: string; password: string };
export const join = (account: NewAccount) => change<{ person: object }>('POST', 'join', account);
