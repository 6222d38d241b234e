import { lookup } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { isPublicAddress } from './public-address.ts';

export type FetchOptions = {
  method?: 'GET' | 'HEAD';
  /** More than this is `limit_exceeded`; 0 reads no body at all. */
  maxBytes: number;
  /** For everything, redirects included; default 10,000. */
  timeoutMs?: number;
  /** Media types that are accepted, as `image/` or `text/html`; any when absent. Only of an answer that succeeded. */
  types?: readonly string[];
  /** How many redirects are followed, at most 3 (the default). */
  redirects?: number;
  signal?: AbortSignal;
};

export type Fetched = {
  status: number;
  /** The address that answered in the end. */
  url: string;
  /** The redirects on the way, each as the address that it led to. */
  redirects: { status: number; to: string }[];
  /** In lower case, without parameters; empty where the answer does not say. */
  contentType: string;
  body: Buffer;
};

/**
 * Fetches from the public internet, and from nowhere else: what is internal, in whatever spelling, is `fetch_blocked`; what
 * cannot be reached is `fetch_failed`. An answer of any status is an answer, and its body is read only where it succeeded.
 */
export type GuardedFetch = (url: string, options: FetchOptions) => Promise<Fetched>;

export type GuardSettings = {
  /** `address:port` of internal places that may be reached all the same. */
  allow?: readonly string[];
  /** The addresses of a host; the system's resolver when absent. */
  resolve?: (host: string) => Promise<string[]>;
};

const longestUrl = 2048;
/** A query is how text would be carried out of here. */
const longestQuery = 1024;
const mostRedirects = 3;
const redirecting = new Set([301, 302, 303, 307, 308]);

/**
 * The address is checked at the only place where it counts: a host is resolved once, all of its addresses must be public,
 * and the connection is made to one of these, so a name that resolves to something else a moment later gains nothing.
 */
export function createGuardedFetch({ allow = [], resolve = resolveHost }: GuardSettings = {}): GuardedFetch {
  const allowed = new Set(allow);

  return async (from, options) => {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? 10_000);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const redirects: Fetched['redirects'] = [];
    const most = Math.min(options.redirects ?? mostRedirects, mostRedirects);
    for (let url = parse(from); ; ) {
      const address = await addressOf(url, allowed, resolve, signal);
      const response = await send(url, address, options.method ?? 'GET', signal);
      try {
        const { statusCode: status = 0, headers } = response;
        if (redirecting.has(status) && headers.location !== undefined && redirects.length < most) {
          const next = parse(headers.location, url);
          if (url.protocol === 'https:' && next.protocol === 'http:') throw blocked('it leads from https to http');
          redirects.push({ status, to: next.href });
          url = next;
          continue;
        }
        if (redirecting.has(status) && redirects.length >= most && most > 0) throw blocked('it redirects too often');
        const contentType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
        const read = status >= 200 && status < 300 && options.method !== 'HEAD' && options.maxBytes > 0;
        if (read) checkType(contentType, options.types);
        const body = read ? await readBody(response, options.maxBytes) : Buffer.alloc(0);
        return { status, url: url.href, redirects, contentType, body };
      } catch (error) {
        throw error instanceof CloudhalError ? error : failed(error, signal);
      } finally {
        response.destroy();
      }
    }
  };
}

function parse(text: string, base?: URL): URL {
  const url = text.length <= longestUrl && URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  if (!url) throw blocked(text.length > longestUrl ? `it is longer than ${longestUrl} characters` : 'it is no URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw blocked('only http and https are fetched');
  if (url.username !== '' || url.password !== '') throw blocked('it carries a user name or a password');
  if (url.search.length > longestQuery) throw blocked(`its query is longer than ${longestQuery} characters`);
  url.hash = '';
  return url;
}

/** The one address that the connection is made to. */
async function addressOf(
  url: URL,
  allowed: ReadonlySet<string>,
  resolve: (host: string) => Promise<string[]>,
  signal: AbortSignal,
): Promise<string> {
  // The URL standard's parser has made every spelling of an IPv4 address (0x7f.1, 2130706433, １２７.0.0.1) the plain one.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (/(?:^|\.)localhost\.?$/.test(host)) throw blocked('the host is not on the public internet');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const addresses = isIP(host) ? [host] : await resolved(host, resolve, signal);
  if (addresses.length === 0) throw fail('fetch_failed', { reason: 'the host has no address' });
  const exempt = addresses.every((address) => allowed.has(`${isIP(address) === 6 ? `[${address}]` : address}:${port}`));
  if (!exempt) {
    if (!addresses.every(isPublicAddress)) throw blocked('the host is not on the public internet');
    if (port !== 80 && port !== 443) throw blocked('only ports 80 and 443 are fetched from');
  }
  return addresses.find((address) => isIP(address) === 4) ?? addresses[0]!;
}

async function resolved(
  host: string,
  resolve: (host: string) => Promise<string[]>,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    return await Promise.race([resolve(host), aborted(signal)]);
  } catch (error) {
    throw failed(error, signal);
  }
}

async function resolveHost(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function send(url: URL, address: string, method: string, signal: AbortSignal): Promise<IncomingMessage> {
  const client = url.protocol === 'https:' ? https : http;
  const family = isIP(address);
  return new Promise((settle, reject) => {
    const request = client.request(url, {
      method,
      signal,
      // No connection is shared, and no proxy or cookie of ours goes along.
      agent: false,
      headers: { 'user-agent': 'Cloudhal', accept: '*/*', 'accept-encoding': 'identity', connection: 'close' },
      lookup: (_host, { all }, found) => (all ? found(null, [{ address, family }]) : found(null, address, family)),
    });
    request.on('error', (error) => reject(failed(error, signal)));
    request.on('response', settle);
    request.end();
  });
}

/** Nothing is unpacked: packed bytes were not asked for, and could be a bomb. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': announced = '0' } = response.headers;
  if (encoding.toLowerCase() !== 'identity') throw fail('fetch_failed', { reason: 'the answer is compressed' });
  const tooLarge = () => fail('limit_exceeded', { what: 'What is at this address', max: `${maxBytes} bytes` });
  if (Number(announced) > maxBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function checkType(found: string, types: readonly string[] | undefined): void {
  const fits = types?.some((type) => (type.endsWith('/') ? found.startsWith(type) : found === type)) ?? true;
  if (!fits) throw fail('unsupported_media', { found: found || 'none', accepted: types!.join(', ') });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function blocked(reason: string) {
  return fail('fetch_blocked', { reason });
}

/** What went wrong, in our words: the system's may name what is inside. */
function failed(error: unknown, signal: AbortSignal) {
  const { code = '' } = error as { code?: string };
  if (signal.aborted) return fail('fetch_failed', { reason: 'it took too long' });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return fail('fetch_failed', { reason: 'the host has no address' });
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|^EPROTO|^ERR_SSL|^ERR_TLS/.test(code))
    return fail('fetch_failed', { reason: 'its certificate is not valid' });
  return fail('fetch_failed', { reason: 'the connection failed or broke' });
}
