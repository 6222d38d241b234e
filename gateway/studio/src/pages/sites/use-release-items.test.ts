import { describe, expect, it } from 'vitest';
import type { ReleaseItem } from '../../api/releases.ts';
import { itemChanges, withOwn } from './use-release-items.ts';

const item = (node: string, more: Partial<ReleaseItem> = {}): ReleaseItem => ({ node, op: 'publish', ...more });
const pinned = item('b', { rev: 2 });
const own = new Map([
  ['a', undefined],
  ['b', pinned],
  ['c', item('c')],
]);

describe('the items of a release', () => {
  it('stay in their order, with what a person changed, and what they added at the end', () => {
    expect(withOwn([item('a'), item('b'), item('d')], own)).toEqual([pinned, item('d'), item('c')]);
  });

  it('are changed by what differs from the release as it was read', () => {
    expect(itemChanges([item('a'), item('b'), item('d')], own)).toEqual({ add: [pinned, item('c')], remove: ['a'] });
  });

  it('are not changed where somebody did the same in the meantime, and what they added stays', () => {
    const since = [pinned, item('c'), item('e', { op: 'unpublish' })];
    expect(itemChanges(since, own)).toEqual({ add: [], remove: [] });
    expect(withOwn(since, own)).toEqual(since);
  });
});
