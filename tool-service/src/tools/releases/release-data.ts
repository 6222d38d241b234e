import type { ReleaseItem } from '@cloudhal/shared/site/release';
import { Type } from 'typebox';
import type { GraphNode } from '../../graph/node.ts';
import type { View } from '../../graph/view.ts';
import { type Run, stateOf } from '../../releases/runs.ts';
import { Choice } from '../arguments.ts';
import { briefOf } from '../untrusted.ts';

/** What identifies a release; the answer to a write. */
export const ReleaseHeadData = Type.Object({
  id: Type.String(),
  title: Type.String(),
  items: Type.Integer(),
  state: Type.Optional(Type.String()),
  schedule: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  rev: Type.Integer(),
});

export const ReleaseRef = Type.String({ minLength: 1, maxLength: 64, description: "The release's id." });

export const ItemsArg = (description: string) =>
  Type.Array(
    Type.Object(
      {
        node: Type.String({ minLength: 1, maxLength: 64, description: "The node's id." }),
        rev: Type.Optional(
          Type.Integer({
            minimum: 1,
            description: 'Pins it to this rev; else it follows the draft.',
          }),
        ),
        op: Type.Optional(Choice(['publish', 'unpublish'], 'publish when absent.')),
      },
      { additionalProperties: false },
    ),
    { maxItems: 200, description },
  );

export function releaseHead({ id, rev, body }: GraphNode<'release'>) {
  return { id, title: body.title, items: body.items.length, rev };
}

/** Where a release stands, and what became of it at its time. */
export function standing({ body }: GraphNode<'release'>, run: Run | undefined) {
  const state = stateOf(run);
  if (!run || state === 'open') return { state };
  const { timeZone } = body.schedule ?? {};
  const { error, snapshot, endedAt } = run;
  return {
    state,
    ...(state === 'scheduled' || state === 'refused'
      ? { schedule: { at: run.at.toISOString(), ...(timeZone !== undefined && { timeZone }), by: run.by } }
      : {}),
    ...(state !== 'scheduled' && {
      outcome: {
        at: (endedAt ?? run.at).toISOString(),
        by: run.by,
        ...(snapshot !== null && { snapshot }),
        ...(error && { error: said(error) }),
      },
    }),
    // Its time has come, and it could not be decided yet.
    ...(state === 'scheduled' && error && { waiting: { tries: run.tries, error: said(error) } }),
  };
}

function said({ code, message, next }: NonNullable<Run['error']>) {
  return { code, message, next };
}

/** Whether the node still carries the schedule that waits beside the tree: a rollback or an undo may have taken it. */
export function isCarried({ body }: GraphNode<'release'>, run: Run): boolean {
  return body.schedule !== undefined && body.schedule.at === run.at.toISOString();
}

/** Items with what their nodes are, and the rev that each draft is at; of a node that has none, its id alone. */
export async function itemsData(view: View, items: readonly ReleaseItem[]) {
  const drafts = await view.nodes(
    items.map(({ node }) => node),
    { trash: true },
  );
  const draftOf = new Map(drafts.map((draft) => [draft.id, draft]));
  return items.map(({ node, op, rev }) => {
    const draft = draftOf.get(node);
    return {
      node,
      op,
      ...(rev === undefined ? { follows: 'draft' } : { rev }),
      ...(draft && { ...briefOf(draft), draftRev: draft.rev }),
    };
  });
}
