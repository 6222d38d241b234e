import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { loadSecret, loadSigner, loadVerifier } from '../secrets.ts';

/** The processes that read the environment; `local` is the one that runs all services. */
export const serviceNames = ['gateway', 'policy', 'tools', 'audit', 'skills', 'local', 'migrate'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** What a value may be: its parser throws away nothing, and `takes` finishes the sentence "It takes …". */
type Kind<T> = {
  takes: string;
  parse: (text: string) => T | undefined;
  /** Throws where the file that is named cannot be used; never with what is in it. */
  check?: (value: T) => unknown;
};

export type Variable<T, R extends readonly ServiceName[] = readonly ServiceName[], D = T | undefined> = Kind<T> & {
  name: string;
  help: string;
  /** Who reads it. */
  services: readonly ServiceName[];
  /** Who does not start without it. */
  required: R;
  secret: boolean;
  default: D;
};

type Facts<R extends readonly ServiceName[], D> = {
  services: readonly ServiceName[];
  help: string;
  required?: R;
  secret?: true;
  default?: D;
};

export function variable<T, const R extends readonly ServiceName[] = readonly [], D extends T | undefined = undefined>(
  name: string,
  kind: Kind<T>,
  facts: Facts<R, D>,
): Variable<T, R, D> {
  return { secret: false, required: [] as unknown as R, default: undefined as D, ...facts, name, ...kind };
}

export const text: Kind<string> = { takes: 'a text', parse: (value) => value };
export const file: Kind<string> = { takes: 'the path of a file', parse: (value) => value };
export const textFile: Kind<string> = { ...file, check: readText };
export const secretFile: Kind<string> = { ...file, check: (path) => loadSecret(path) };
export const privateKeyFile: Kind<string> = { ...file, check: loadSigner };
export const publicKeysFile: Kind<string> = { ...file, check: loadVerifier };
export const folder: Kind<string> = { takes: 'the path of a folder', parse: (value) => value };
export const port: Kind<number> = { takes: 'a port, 0 to 65535', parse: (value) => whole(value, 0, 65_535) };
export const boolean: Kind<boolean> = {
  takes: '"true" or "false"',
  parse: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
};

export function url(...protocols: string[]): Kind<string> {
  return {
    takes: `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    parse: (value) => (URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined),
  };
}

export function integer(min: number, max: number): Kind<number> {
  return { takes: `a whole number from ${min} to ${max}`, parse: (value) => whole(value, min, max) };
}

export function oneOf<const T extends string>(...values: readonly T[]): Kind<T> {
  return { takes: `one of ${values.join(', ')}`, parse: (value) => values.find((known) => known === value) };
}

export function list<T>(item: Kind<T>): Kind<T[]> {
  return {
    takes: `${item.takes}, or several separated by commas`,
    parse(value) {
      const items = value.split(',').map((part) => item.parse(part.trim()));
      return items.every((part) => part !== undefined) ? (items as T[]) : undefined;
    },
  };
}

export const origin: Kind<string> = {
  takes: 'an origin such as https://example.org',
  parse: (value) => (URL.canParse(value) && new URL(value).origin === value ? value : undefined),
};
export const host: Kind<string> = {
  takes: 'a host name, with its port if there is one',
  parse: (value) => (/^[A-Za-z0-9.[\]:-]+$/.test(value) ? value : undefined),
};

export const addressAndPort: Kind<string> = {
  takes: 'an IP address and a port, such as 10.0.0.5:8080 or [fd00::5]:8080',
  parse(value) {
    const [, v6, v4, number = ''] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d+)$/i.exec(value) ?? [];
    return isIP(v6 ?? v4 ?? '') !== 0 && whole(number, 1, 65_535) !== undefined ? value : undefined;
  },
};

function whole(value: string, min: number, max: number): number | undefined {
  const number = Number(value);
  return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined;
}

function readText(path: string): void {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (content.trim() === '') throw new Error(`The file ${path} is empty.`);
}
