import { usePerson } from '../../api/session.ts';

/** Whether the role of who is signed in changes content; what of it, the server says. */
export function useMayChange(): boolean {
  const { role } = usePerson();
  return role === 'owner' || role === 'editor';
}

export function useIsOwner(): boolean {
  return usePerson().role === 'owner';
}

/** Whether the role opens previews. */
export function useMayPreview(): boolean {
  return usePerson().role !== 'auditor';
}
