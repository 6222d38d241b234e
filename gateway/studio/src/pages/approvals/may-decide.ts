import { usePerson } from '../../api/session.ts';

/** Whether the role of who is signed in decides at all; for what, the server says. */
export function useMayDecide(): boolean {
  return usePerson().role !== 'auditor';
}
