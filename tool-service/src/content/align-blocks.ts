import { parseBlocks } from '../body/parse-blocks.ts';
import { reconcileBlocks } from '../body/reconcile-blocks.ts';

type Body = { body: string; blocks: readonly string[] };

/**
 * The ids of a translated body's blocks. A block of the translation carries the id of the block of the original that it
 * translates: those that it had before stay, the others follow from order and type.
 */
export function alignBlocks(original: Body, before: Body, markdown: string): string[] {
  if (markdown === '') return [];
  const sources = parseBlocks(original.body, original.blocks);
  const kept = new Set(before.blocks);
  const ids = before.body === '' ? undefined : reconcileBlocks(before.body, before.blocks, markdown);
  const targets = parseBlocks(markdown, ids);
  const known = new Set(sources.map(({ id }) => id));
  const used = new Set(targets.flatMap(({ id }) => (known.has(id) && kept.has(id) ? [id] : [])));
  let from = 0;
  return targets.map((target, index) => {
    if (used.has(target.id)) {
      from = sources.findIndex(({ id }) => id === target.id) + 1;
      return target.id;
    }
    // As many blocks on both sides: one for one. Else the next of the same type that has no counterpart yet.
    const next =
      sources.length === targets.length
        ? sources[index]
        : sources.slice(from).find(({ id, type }) => type === target.type && !used.has(id));
    if (!next || used.has(next.id)) return target.id;
    used.add(next.id);
    from = sources.indexOf(next) + 1;
    return next.id;
  });
}
