import type { EntryBody } from '@cloudhal/shared/site/shapes';
import type { ToolResult } from '@cloudhal/shared/tool';
import type { GraphNode } from '../graph/node.ts';
import { createEntry } from '../tools/entries/create-entry.ts';
import { getEntry } from '../tools/entries/get-entry.ts';
import { updateEntry } from '../tools/entries/update-entry.ts';
import { getPublishPlan } from '../tools/publish/get-publish-plan.ts';
import { publish } from '../tools/publish/publish.ts';
import { rollback } from '../tools/publish/rollback.ts';
import { unpublish } from '../tools/publish/unpublish.ts';
import { undoChange } from '../tools/snapshots/undo-change.ts';
import { openTestRunner } from './test-runner.ts';

const tools = [getEntry, createEntry, updateEntry, getPublishPlan, publish, unpublish, rollback, undoChange];

/** A worker that publishes and takes back. */
export async function openPublisher() {
  const runner = await openTestRunner(tools);
  const head = async () => (await runner.view().head()).snapshot;
  return {
    ...runner,
    head,
    live: (id: string) => runner.view().nodes([id], { track: 'live' }),
    publishNow: async (what: { all?: boolean; nodes?: string[] }): Promise<ToolResult> =>
      runner.call('publish', { what, expectDraft: await head() }),
    async edit(node: GraphNode<'entry'>, change: Partial<EntryBody>): Promise<GraphNode<'entry'>> {
      const { data } = await runner.change((draft) =>
        draft.save('entry', node.id, node.rev, (body) => ({ ...body, ...change })),
      );
      return data as GraphNode<'entry'>;
    },
  };
}

export type Publisher = Awaited<ReturnType<typeof openPublisher>>;
