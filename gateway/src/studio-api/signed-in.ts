import { fail } from '@cloudhal/shared/errors';
import type { Role } from '@cloudhal/shared/policy';
import type { Request, Response } from 'express';
import type { People, Person } from '../auth/people.ts';

type Handler = (person: Person, request: Request, response: Response) => Promise<void>;

/** Makes handlers of requests that only a signed-in person may make. */
export function signedIn(people: People) {
  return (handler: Handler) => async (request: Request, response: Response) => {
    await handler(await people.person(request.headers), request, response);
  };
}

export function requireRole({ member }: Person, role: Role, needs: string): void {
  if (member.role !== role) throw fail('forbidden', { needs });
}

/** A cookie alone gives nobody more rights. */
export function requireRecent({ recentSignIn }: Person): void {
  if (!recentSignIn) throw fail('reauthentication_required');
}

/** The one value of a parameter of the path. */
export function param(request: Request, name: string): string {
  const value = request.params[name];
  if (typeof value !== 'string' || value.length > 200) throw fail('not_found', { what: name, id: '…' });
  return value;
}
