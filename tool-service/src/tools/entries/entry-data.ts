import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import { outline } from '../../body/outline.ts';
import { parseBlocks } from '../../body/parse-blocks.ts';
import { type BodyPart, type BodyRange, readBlocks } from '../../body/read-blocks.ts';
import type { GraphNode, Status } from '../../graph/node.ts';
import { bytesPerToken } from '../tokens.ts';

export const bodyFormats = ['markdown', 'blocks', 'outline'] as const;
type BodyFormat = (typeof bodyFormats)[number];

const Listed = Type.Array(Type.Unsafe<object>({ type: 'object' }));

/** What identifies an entry; the answer to a write. */
export const EntryHeadData = Type.Object({
  id: Type.String(),
  type: Type.String(),
  slug: Type.String(),
  locale: Type.String(),
  path: Type.Optional(Type.String()),
  rev: Type.Integer(),
});

/** The answer to a change of parts of a body. */
export const ChangedBody = Type.Object({
  ...EntryHeadData.properties,
  blocks: Type.Object({ changed: Listed, removed: Type.Array(Type.String()) }),
});

/** An entry as tools return it. */
export const EntryData = Type.Object({
  ...EntryHeadData.properties,
  status: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  body: Type.Optional(Type.String()),
  blocks: Type.Optional(Listed),
  outline: Type.Optional(Listed),
  more: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  terms: Type.Optional(Type.Unsafe<Record<string, string[]>>({ type: 'object' })),
  bylines: Type.Optional(Type.Array(Type.String())),
  corrections: Type.Optional(Listed),
  embargo: Type.Optional(Type.String()),
  translation: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  /** Text from outside that no person has looked at, kept apart from what the site's people wrote. */
  untrusted: Type.Optional(Listed),
});

export function entryHead(node: GraphNode<'entry'>) {
  const { type, slug, locale } = node.body;
  return { id: node.id, type, slug, locale, ...(node.path !== undefined && { path: node.path }), rev: node.rev };
}

/** An entry with its text in the form asked for. */
export function entryData(node: GraphNode<'entry'>, status: Status, format: BodyFormat, range: BodyRange) {
  const { fields, terms, bylines, corrections, untrusted, translation } = node.body;
  const { text, more } = shownBody(node.body, format, range);
  return {
    truncated: more !== undefined,
    untrusted: untrusted === true,
    data: {
      ...entryHead(node),
      status,
      ...(untrusted ? { untrusted: [{ source: 'import', fields, ...text }] } : { fields, ...text }),
      ...(more && { more }),
      ...(terms && { terms }),
      ...(bylines && { bylines }),
      ...(corrections && { corrections }),
      ...(translation && { translation }),
    },
  };
}

function shownBody({ body, blocks: ids }: EntryBody, format: BodyFormat, range: BodyRange) {
  if (format === 'outline') return { text: { outline: outline(body, ids) } };
  const all = range.from === undefined && range.to === undefined && range.offset === undefined;
  const fits = Buffer.byteLength(body) <= (range.maxTokens ?? Number.POSITIVE_INFINITY) * bytesPerToken;
  // The usual read: its blocks need not be looked for.
  if (format === 'markdown' && all && fits) return { text: { body } };
  const part = readBlocks(body, ids, range);
  const more = part.next;
  if (format === 'blocks') return { text: { blocks: part.blocks }, more };
  return { text: { body: textOf(body, ids, range, part) }, more };
}

/** The text of a part, byte for byte: edits name it exactly. Parts that follow each other are, put together, the body. */
function textOf(body: string, ids: readonly string[], range: BodyRange, { blocks, next }: BodyPart): string {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return '';
  const places = new Map(parseBlocks(body, ids).map((block) => [block.id, block]));
  const isFromStart = range.from === undefined && range.offset === undefined;
  const start = isFromStart ? 0 : places.get(first.id)!.start + (range.offset ?? 0);
  if (next) return body.slice(start, places.get(next.from)!.start + (next.offset ?? 0));
  return body.slice(start, range.to === undefined ? body.length : places.get(last.id)!.end);
}
