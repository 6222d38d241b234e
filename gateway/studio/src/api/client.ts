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

export type Sending = { onProgress: (share: number) => void; signal: AbortSignal };

/** Puts a file to an address that was made for it, and says how much of it is sent, from 0 to 1; `fetch` would not know. */
export async function sendFile(url: string, bytes: ArrayBuffer, { onProgress, signal }: Sending): Promise<void> {
  const sent = new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => resolve(new Response(request.response, { status: request.status }));
    request.onerror = reject;
    request.onabort = reject;
    signal.addEventListener('abort', () => request.abort());
    request.open('PUT', url);
    request.send(bytes);
  });
  await answerOf(sent, signal);
}

async function send<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const sent = fetch(gatewayUrl(`api/${path}`), {
    method,
    credentials: 'same-origin',
    headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  return answerOf<T>(sent, signal);
}

async function answerOf<T>(sent: Promise<Response>, signal: AbortSignal | undefined): Promise<T> {
  let response: Response;
  try {
    response = await sent;
  } catch (error) {
    if (signal?.aborted) throw error;
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
