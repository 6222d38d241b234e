import { useState } from 'react';
import type { ItemChanges, ReleaseItem } from '../../api/releases.ts';

/** What a person made of nodes: an item, or nothing where they took it out. */
type Own = ReadonlyMap<string, ReleaseItem | undefined>;

/** Items as a person changes them. They hold against whatever is in the release by now: what others do to the rest of it stays. */
export function useReleaseItems(kept: readonly ReleaseItem[]) {
  const [own, setOwn] = useState<Own>(new Map());
  return {
    items: withOwn(kept, own),
    changes: itemChanges(kept, own),
    put: (item: ReleaseItem) => setOwn(new Map(own).set(item.node, item)),
    take: (node: string) => setOwn(new Map(own).set(node, undefined)),
  };
}

export function withOwn(kept: readonly ReleaseItem[], own: Own): ReleaseItem[] {
  const there = new Set(kept.map(({ node }) => node));
  const added = [...own].flatMap(([node, item]) => (item && !there.has(node) ? [item] : []));
  return [...kept.flatMap((item) => (own.has(item.node) ? (own.get(item.node) ?? []) : [item])), ...added];
}

export function itemChanges(kept: readonly ReleaseItem[], own: Own): ItemChanges {
  const there = new Map(kept.map((item) => [item.node, item]));
  return {
    add: [...own.values()].flatMap((item) => (item && !isSame(there.get(item.node), item) ? [item] : [])),
    remove: [...own].flatMap(([node, item]) => (!item && there.has(node) ? [node] : [])),
  };
}

function isSame(one: ReleaseItem | undefined, { op, rev }: ReleaseItem): boolean {
  return one?.op === op && one.rev === rev;
}
