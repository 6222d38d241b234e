import { texts } from '../texts/index.ts';
import { gatewayUrl } from './base.ts';
import { ApiError } from './errors.ts';

type Query = Record<string, string | number | undefined>;
type Options = { query?: Query | undefined; signal?: AbortSignal | undefined };

/** Asks the person to prove anew who they are; resolves to whether they did. Set by the shell. */
let confirmPerson: (() => Promise<boolean>) | undefined;

export function whenSignInIsOld(ask: (() => Promise<boolean>) | undefined): void {
  confirmPerson = ask;
}

/** Reads from the gateway's API. Throws `ApiError`. */
export function read<T>(path: string, { query, signal }: Options = {}): Promise<T> {
  return send<T>('GET', path + queryText(query), undefined, signal);
}

/** Changes something. Where the server wants a recent sign-in the person is asked for it, and then it is done. */
export async function change<T>(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T> {
  try {
    return await send<T>(method, path, body ?? {});
  } catch (error) {
    const isOld = error instanceof ApiError && error.code === 'reauthentication_required';
    if (!isOld || confirmPerson === undefined || !(await confirmPerson())) throw error;
    return await send<T>(method, path, body ?? {});
  }
}

/** Puts a file to an address that was made for it, and for nobody's session. */
export async function sendFile(url: string, bytes: ArrayBuffer): Promise<void> {
  await answerOf(url, { method: 'PUT', credentials: 'omit', body: bytes });
}

async function send<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> {
  return answerOf<T>(gatewayUrl(`api/${path}`), {
    method,
    credentials: 'same-origin',
    headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

async function answerOf<T>(url: string, request: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ApiError(0, { code: 'offline', ...texts.errors.offline });
  }
  if (response.status === 204) return undefined as T;
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as T;
  if (typeof answer?.code === 'string') throw new ApiError(response.status, answer);
  throw new ApiError(response.status, { code: 'unreadable', ...texts.errors.unreadable(response.status) });
}

function queryText(query: Query | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
