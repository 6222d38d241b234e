import { type Move, nobody, rev, slug, some, word } from './dice.ts';

const readable = ['page', 'entry', 'person', 'term', 'menu', 'redirect', 'design', 'chrome', 'site', 'asset'] as const;

export const publishMoves: readonly Move[] = [
  {
    tool: 'restore_node',
    args(dice) {
      const node = dice.trashed();
      return node && { node: node.id, from: 'trash' };
    },
  },
  {
    tool: 'restore_node',
    args(dice) {
      const node = dice.pick(dice.heads);
      const snapshot = dice.pick(dice.snapshots);
      return node && snapshot && { node: node.id, from: 'snapshot', snapshot: snapshot.id, rev: rev(dice, node) };
    },
  },
  { tool: 'create_snapshot', args: (dice) => ({ label: word(dice) }), only: () => nobody },
  {
    tool: 'undo_change',
    args: (dice) => ({
      snapshot: dice.pick([dice.headSnapshot, dice.pick(dice.snapshots)!.id])!,
      dryRun: dice.pick([false, false, true])!,
    }),
  },
  {
    tool: 'publish',
    args: (dice) => ({ what: { all: true }, expectDraft: dice.headSnapshot }),
    live: true,
  },
  {
    tool: 'publish',
    args(dice) {
      const nodes = some(dice, ...readable).map(({ id }) => id);
      return { what: { nodes }, expectDraft: dice.headSnapshot };
    },
    live: true,
  },
  {
    tool: 'unpublish',
    args(dice) {
      const items = some(dice, 'page', 'entry', 'person', 'asset').map((node) => ({
        node: node.id,
        rev: rev(dice, node),
      }));
      return items.length === 0 ? undefined : { items, ...(dice.pick([0, 0, 1]) && { redirect: `/${slug(dice)}` }) };
    },
    live: true,
  },
];

/** A rollback, whose outcome is known beforehand. */
export const rollbackMove: Move = {
  tool: 'rollback',
  args: (dice) => ({
    snapshot: dice.pick(dice.snapshots)!.id,
    track: dice.pick(['draft', 'live', 'both'])!,
    expectLive: dice.liveSnapshot,
    reason: 'A test.',
  }),
  live: true,
};
