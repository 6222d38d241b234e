import type { JsonSchema, ToolFacts } from '@cloudhal/shared/tool';
import type { Args } from '../../reference/examples/example.ts';

type Place = (string | number)[];
type Schema = JsonSchema & { type?: string; enum?: unknown[]; properties?: Record<string, Schema> };

/** Patterns, statements, markup and letters that some code somewhere takes for more than text. */
const hostile = [
  '%'.repeat(400),
  `${'a'.repeat(400)}!`,
  "'; DROP TABLE article; --",
  '(a+)+$',
  '"unclosed \\',
  '& | ! <-> :*',
  '['.repeat(400),
  '_%\\_'.repeat(100),
  '{{constructor.constructor("return process")()}}',
  '__proto__',
  '\u202e\u001b[31m\r\nwritten: by somebody else',
  '../../../etc/passwd',
  '<img src=x onerror=alert(1)>',
  '﷽'.repeat(400),
];
/** What is parsed may be longer. */
const markup = ['[', '![', '> ', '*a_', '`', '<b>', '((', '|-', '&#', '- '].map((piece) => piece.repeat(20_000));

/** A call of the tool for each of its texts, with something hostile in that place; no two places get the same in a row. */
export function hostileCalls({ inputSchema, mutates }: ToolFacts, args: Args, seed: number): Args[] {
  const places = [...textsIn(args), ...textsOf(inputSchema as Schema).filter(([name]) => !(name! in args))];
  return places
    .filter(([name]) => name !== 'site' && name !== 'requestId')
    .flatMap((place, n) => {
      if (/^(?:body|markdown|text)$/.test(String(place.at(-1)))) return markup.map((text) => put(args, place, text));
      const count = mutates ? 1 : 3;
      return Array.from({ length: count }, (_, i) =>
        put(args, place, hostile[(seed + n * count + i) % hostile.length]!),
      );
    });
}

function textsIn(value: unknown, at: Place = []): Place[] {
  if (typeof value === 'string') return [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textsIn(inner, [...at, Array.isArray(value) ? Number(name) : name]),
  );
}

/** The texts that the example leaves out. */
function textsOf({ properties = {} }: Schema): Place[] {
  return Object.entries(properties)
    .filter(([, inner]) => inner.type === 'string' && !inner.enum)
    .map(([name]) => [name]);
}

function put(args: Args, place: Place, text: string): Args {
  const copy = structuredClone(args);
  let inside: Record<string | number, unknown> = copy;
  for (const part of place.slice(0, -1)) inside = inside[part] as Record<string | number, unknown>;
  inside[place.at(-1)!] = text;
  return copy;
}
