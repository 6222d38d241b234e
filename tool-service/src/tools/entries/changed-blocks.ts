import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { type Block, parseBlocks } from '../../body/parse-blocks.ts';

type Text = Pick<EntryBody, 'body' | 'blocks'>;
type ChangedBlocks = { changed: Pick<Block, 'id' | 'type' | 'text'>[]; removed: string[] };

/** The blocks that an edit made or changed, as they are now, and the ids of those that are gone. */
export function changedBlocks(before: Text, after: Text): ChangedBlocks {
  const old = new Map(parseBlocks(before.body, before.blocks).map((block) => [block.id, block.text]));
  const now = parseBlocks(after.body, after.blocks);
  const kept = new Set(now.map((block) => block.id));
  return {
    changed: now.filter(({ id, text }) => old.get(id) !== text).map(({ id, type, text }) => ({ id, type, text })),
    removed: [...old.keys()].filter((id) => !kept.has(id)),
  };
}
