import { queryOptions } from '@tanstack/react-query';
import { change, read } from './client.ts';

/** What one may sign in with at this deployment. */
export type Methods = { singleSignOn?: string; passwordReset: boolean };
export type OwnSession = {
  id: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  network: string;
  userAgent: string;
  isThis: boolean;
};

export const methodsQuery = queryOptions({
  queryKey: ['sign-in methods'],
  queryFn: ({ signal }) => read<Methods>('auth/methods', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const sessionsQuery = queryOptions({
  queryKey: ['session', 'all'],
  queryFn: async ({ signal }) => (await read<{ sessions: OwnSession[] }>('session/all', { signal })).sessions,
});

export const endSession = (id: string) => change<void>('DELETE', `session/all/${encodeURIComponent(id)}`);
export const endOtherSessions = () => change<void>('DELETE', 'session/others');
export const leave = () => change<void>('DELETE', 'session/membership');
export const changePassword = (passwords: { currentPassword: string; newPassword: string }) =>
  change<void>('POST', 'auth/change-password', passwords);
export const forgotPassword = (email: string) => change<object>('POST', 'auth/forgot-password', { email });
export const resetPassword = (token: string, newPassword: string) =>
  change<void>('POST', 'auth/reset-password', { token, newPassword });

type Wish = { to?: string; again?: boolean; connect?: boolean };

/** Leaves for the organisation's provider, which sends the person back to a page of Studio. */
export async function goToSingleSignOn(wish: Wish): Promise<void> {
  const { url } = await change<{ url: string }>('POST', 'auth/sign-in/sso', wish);
  window.location.assign(url);
}
