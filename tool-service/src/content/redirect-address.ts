import { fail } from '@cloudhal/shared/errors';
import { isReserved } from './slug.ts';

const here = 'https://here.invalid';
const maxLength = 1024;
/** Files that every site has. */
export const ownFiles = new Set(['atom.xml', 'feed.xml', 'robots.txt', 'sitemap.xml']);

/**
 * The address that a redirect answers for, as readers ask for it: decoded, without a slash at its end. What could be read
 * in two ways, or looks like another address than it is, is refused.
 */
export function redirectFrom(raw: string, path: string): string {
  if (/[?#]/.test(raw)) throw refused(path, 'a path without query and fragment');
  const from = plainPath(raw, path);
  if (from === '/') throw refused(path, 'another path than the home page');
  return from;
}

/** Where a redirect leads: an own path (query and fragment may follow), or an absolute https address. */
export function redirectTo(raw: string, path: string): string {
  if (raw.startsWith('/')) {
    const [, own = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(raw) ?? [];
    const url = new URL(rest, here);
    return `${plainPath(own, path)}${url.search}${url.hash}`;
  }
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  const isSafe = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname !== '';
  if (!url || !isSafe || !/^https:\/\/[^/\\]/i.test(raw) || /[\s\p{Cc}\\]/u.test(raw)) {
    throw refused(path, 'a path of the site such as /about, or an address that begins with https://');
  }
  return url.href;
}

/** The own path that a target begins with; undefined where it leads elsewhere. */
export function ownPath(to: string | undefined): string | undefined {
  return to?.startsWith('/') ? to.replace(/[?#].*$/s, '') : undefined;
}

/** The value of a Location header. */
export function locationOf(to: string, basePath: string): string {
  const path = ownPath(to);
  return path === undefined ? to : `${basePath}${encodeURI(path)}${to.slice(path.length)}`;
}

function plainPath(raw: string, path: string): string {
  if (!raw.startsWith('/')) throw refused(path, 'a path that begins with a slash');
  if (raw.length > maxLength) throw refused(path, `at most ${maxLength} characters`);
  const decoded = decode(raw, path).normalize('NFC');
  const plain = decoded.length > 1 ? decoded.replace(/\/$/, '') : decoded;
  // Encoded slashes and percent signs, dot segments, and backslashes mean another path to whoever reads it next.
  if (/%(?:2f|5c|25)/i.test(raw) || /[\\%]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/.test(plain)) {
    throw refused(path, 'a path in its plain form, without encoded slashes, "//", "." and ".."');
  }
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}?#]/u.test(plain)) {
    throw refused(path, 'a path without invisible or special characters');
  }
  if (plain.normalize('NFKC') !== plain || plain.split('/').some(mixesScripts)) {
    throw refused(path, 'a path whose letters cannot be taken for others');
  }
  const [, first = ''] = plain.split('/');
  if (isReserved(first) || ownFiles.has(first.toLowerCase()))
    throw refused(path, 'another path: its first word is reserved');
  return plain;
}

function decode(raw: string, path: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    throw refused(path, 'a path that is encoded as URLs are');
  }
}

/** Latin together with letters of a script that has many that look the same. */
function mixesScripts(segment: string): boolean {
  return (
    /\p{Script=Latin}/u.test(segment) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(segment)
  );
}

function refused(path: string, expected: string) {
  return fail('validation_failed', { path, expected });
}
