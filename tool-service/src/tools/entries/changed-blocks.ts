import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { type Block, parseBlocks } from '../../body/parse-blocks.ts';
import type { GraphNode } from '../../graph/node.ts';
import { isImported } from '../untrusted.ts';

type Text = Pick<EntryBody, 'body' | 'blocks'>;
type ChangedBlocks = { changed: Pick<Block, 'id' | 'type' | 'text'>[]; removed: string[] };

/** What an edit did to a body, as tools return it; text that nobody has looked at is set apart. */
export function changedBody(before: GraphNode<'entry'>, after: GraphNode<'entry'>) {
  const blocks = changedBlocks(before.body, after.body);
  if (!isImported(after)) return { blocks };
  const { changed, removed } = blocks;
  return {
    blocks: { changed: changed.map(({ id, type }) => ({ id, type })), removed },
    untrusted: [{ source: 'import', id: after.id, blocks: changed.map(({ id, text }) => ({ id, text })) }],
  };
}

/** The blocks that an edit made or changed, as they are now, and the ids of those that are gone. */
function changedBlocks(before: Text, after: Text): ChangedBlocks {
  const old = new Map(parseBlocks(before.body, before.blocks).map((block) => [block.id, block.text]));
  const now = parseBlocks(after.body, after.blocks);
  const kept = new Set(now.map((block) => block.id));
  return {
    changed: now.filter(({ id, text }) => old.get(id) !== text).map(({ id, type, text }) => ({ id, type, text })),
    removed: [...old.keys()].filter((id) => !kept.has(id)),
  };
}
