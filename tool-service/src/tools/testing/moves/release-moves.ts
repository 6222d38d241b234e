import { type Args, type Dice, type Head, type Move, nobody, rev, some, word, yes } from './dice.ts';

const monthsAhead = (months: number) => new Date(Date.now() + months * 30 * 86_400_000).toISOString();

const releasable = ['page', 'entry', 'entry', 'redirect', 'asset'] as const;
/** As the draft is then, pinned to a rev that it has or had, or taken off. */
const itemOf = (dice: Dice, { id, rev: now }: Head) => ({
  node: id,
  ...dice.pick<Args>([{}, {}, { rev: now }, { rev: Math.max(1, now - 1) }, { op: 'unpublish' }]),
});

export const releaseMoves: readonly Move[] = [
  {
    tool: 'create_release',
    args: (dice) => ({ title: word(dice), items: some(dice, ...releasable).map((node) => itemOf(dice, node)) }),
    only: () => nobody,
  },
  {
    tool: 'set_release_items',
    args(dice) {
      const release = dice.node('release');
      const node = dice.node(...releasable);
      if (!release || !node) return undefined;
      return {
        release: release.id,
        rev: rev(dice, release),
        ...(yes(dice) ? { add: [itemOf(dice, node)] } : { remove: [node.id] }),
      };
    },
    only: ({ release }) => ({ node: release as string, members: ['items'] }),
  },
  {
    tool: 'schedule_release',
    async args(dice) {
      const release = dice.node('release');
      if (!release) return undefined;
      const digest = await dice.digest(release.id);
      return {
        release: release.id,
        rev: rev(dice, release),
        at: dice.pick([monthsAhead(1), monthsAhead(2), monthsAhead(3), '2099-01-01T00:00:00Z'])!,
        expectDigest: dice.pick([digest, digest, digest, digest, 'another'])!,
      };
    },
    only: ({ release }) => ({ node: release as string, members: ['schedule'] }),
    schedules: true,
  },
  {
    tool: 'unschedule_release',
    args(dice) {
      const releases = dice.heads.filter(({ kind, deleted }) => kind === 'release' && !deleted) as Head<'release'>[];
      const scheduled = releases.filter(({ body }) => body.schedule !== undefined);
      const release = dice.pick(scheduled.length > 0 ? scheduled : releases);
      return release && { release: release.id, rev: rev(dice, release) };
    },
    only: ({ release }) => ({ node: release as string, members: ['schedule'] }),
    schedules: true,
  },
  {
    tool: 'publish',
    args(dice) {
      const release = dice.node('release');
      return release && { what: { release: release.id }, expectDraft: dice.headSnapshot };
    },
    live: true,
    schedules: true,
  },
  {
    tool: 'delete_release',
    args(dice) {
      const release = dice.node('release');
      return release && { release: release.id, rev: rev(dice, release) };
    },
    only: ({ release }) => ({ node: release as string, members: [] }),
  },
  {
    tool: 'set_embargo',
    args(dice) {
      const node = dice.node('page', 'entry');
      return node && { node: node.id, rev: rev(dice, node), until: '2099-01-01T00:00:00Z', reason: 'A test.' };
    },
    only: () => nobody,
  },
  {
    tool: 'lift_embargo',
    args(dice) {
      const id = dice.pick(dice.embargoed);
      const node = dice.heads.find((head) => head.id === id);
      return node && { node: node.id, rev: rev(dice, node), reason: 'A test.' };
    },
    only: () => nobody,
  },
];
