import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import type { Request, Response } from 'express';
import { addressHeader } from '../auth/accounts.ts';
import type { People } from '../auth/people.ts';

export type PassToAccounts = {
  /** Better Auth's answer, with its cookies set on ours; throws the coded error for what it refuses. */
  post(path: string, body: object, request: Request, response: Response): Promise<unknown>;
  /** The address that it sends the browser to, with its cookies set on ours. */
  redirect(path: string, request: Request, response: Response): Promise<URL>;
};

/** Hands requests to Better Auth, as coming from our own page. Only what our routes hand over is reachable of it. */
export function createPassToAccounts(people: People, publicUrl: string): PassToAccounts {
  const { origin } = new URL(publicUrl);

  async function pass(path: string, init: RequestInit, request: Request, response: Response) {
    const headers = new Headers({ 'content-type': 'application/json', origin });
    if (request.headers.cookie) headers.set('cookie', request.headers.cookie);
    headers.set('user-agent', (request.headers['user-agent'] ?? '').slice(0, 200));
    if (request.ip) headers.set(addressHeader, request.ip);
    const answered = await people.answer(new globalThis.Request(`${origin}/api/auth${path}`, { ...init, headers }));
    if (answered.status >= 400) throw refusalOf(answered.status);
    for (const cookie of answered.headers.getSetCookie()) response.appendHeader('Set-Cookie', cookie);
    return answered;
  }

  return {
    async post(path, body, request, response) {
      return (await pass(path, { method: 'POST', body: JSON.stringify(body) }, request, response)).json();
    },
    async redirect(path, request, response) {
      const { headers } = await pass(path, { method: 'GET' }, request, response);
      return new URL(headers.get('location') ?? '', publicUrl);
    },
  };
}

function refusalOf(status: number): CloudhalError {
  if (status === 401 || status === 403) return fail('sign_in_required');
  if (status < 500) return fail('validation_failed', { path: 'request', expected: 'the accounts do not accept it' });
  return fail('storage_unavailable');
}
