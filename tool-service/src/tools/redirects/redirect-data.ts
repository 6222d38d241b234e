import { redirectStatuses } from '@cloudhal/shared/site/redirect';
import { Type } from 'typebox';
import type { GraphNode } from '../../graph/node.ts';

const Path = Type.String({ minLength: 1, maxLength: 1024, description: 'The old path, such as /old.' });
export const ToArg = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'A path of the site, or an https address; none with 410.',
  }),
);
export const StatusArg = Type.Optional(
  Type.Unsafe<(typeof redirectStatuses)[number]>({
    type: 'integer',
    enum: [...redirectStatuses],
    description: '301 (default), 302, 307 or 308; 410: gone.',
  }),
);
export const RedirectItem = Type.Object({ from: Path, to: ToArg, status: StatusArg }, { additionalProperties: false });
export const RedirectRef = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: "The redirect's id or old path.",
});

/** A redirect as tools return it. */
export const RedirectData = Type.Object({
  id: Type.String(),
  from: Type.String(),
  to: Type.Optional(Type.String()),
  status: Type.Integer(),
  rev: Type.Integer(),
});

export function redirectData({ id, rev, body }: GraphNode<'redirect'>) {
  const { from, to, status } = body;
  return { id, from, ...(to !== undefined && { to }), status, rev };
}
