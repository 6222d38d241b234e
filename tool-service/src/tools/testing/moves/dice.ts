import type { NodeBody, NodeKind } from '@cloudhal/shared/site/shapes';

export type Args = Record<string, unknown>;

/** The head of a node's draft, in the trash as well. */
export type Head<K extends NodeKind = NodeKind> = {
  [P in K]: {
    id: string;
    kind: P;
    rev: number;
    deleted: boolean;
    path: string | null;
    hash: string;
    body: NodeBody[P];
  };
}[K];

/** What a call is made up from: the site as it stands, and choices that a generator took. */
export type Dice = {
  heads: readonly Head[];
  /** What readers find at an address. */
  live: readonly { id: string; path: string }[];
  snapshots: readonly { id: string }[];
  liveSnapshot: string;
  headSnapshot: string;
  embargoed: readonly string[];
  comments: readonly { id: string; rev: number; status: string }[];
  /** One of these by the next choice; `undefined` where there is none. */
  pick<T>(from: readonly T[]): T | undefined;
  /** A node of the draft, outside the trash unless said. */
  node<K extends NodeKind>(...kinds: K[]): Head<K> | undefined;
  trashed(): Head | undefined;
  /** What get_release says that a release changes. */
  digest(release: string): Promise<string>;
  text: string;
};

export type Move = {
  tool: string;
  /** `undefined` where there is nothing to do it to. */
  args(dice: Dice): Args | undefined | Promise<Args | undefined>;
  /**
   * The id of the only node that it may change, and the members of its body that may be others afterwards. Absent where
   * other nodes follow by what the tool is for: a term that is merged, a page whose parent moved.
   */
  only?(args: Args): { node?: string | undefined; members: readonly string[] };
  /** May change what is live. */
  live?: true;
  /** May change when a release goes live. */
  schedules?: true;
};

const slugs = [
  'ada',
  'boat',
  'crew',
  'dock',
  'eel',
  'ferry',
  'gull',
  'hull',
  'admin',
  'Über',
  '../up',
  'ſlip',
] as const;
const words = ['tides', 'Nets & knots', '<b>bold</b>', '`code`', 'naïve café', '日本語', '👩‍🚒', ''] as const;
export const blockOf = (text: string) => `A block about ${text || 'nothing'}.`;
export const yes = (dice: Dice) => dice.pick([true, false])!;
export const slug = (dice: Dice) => dice.pick(slugs)!;
export const word = (dice: Dice) => dice.pick(words) || dice.text || 'word';
/** The id of an asset, where there is one. */
export const asset = (dice: Dice) => dice.node('asset')?.id ?? 'as_00000000000000000000000000';
export const body = (dice: Dice) =>
  dice.pick([
    '',
    `# ${word(dice)}\n\n${blockOf(dice.text)}\n\n- one\n- two\n`,
    `A picture.\n\n![](asset:${asset(dice)})\n`,
    dice.text,
  ])!;
export const terms = (dice: Dice): string[] => {
  const term = dice.node('term');
  return [term ? term.body.slug : 'nothing'];
};
/** The rev of a node, now and then an old one. */
export const rev = (dice: Dice, node: { rev: number }) => (dice.pick([0, 0, 0, 0, 0, 1]) ? node.rev + 1 : node.rev);
export const some = (dice: Dice, ...kinds: NodeKind[]): Head[] => {
  const first = dice.node(...kinds);
  const second = dice.node(...kinds);
  return [first, second].filter((node, at, all): node is Head => node !== undefined && all.indexOf(node) === at);
};
export const nobody = { members: [] };
