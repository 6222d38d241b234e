import { plainPng } from '../../../media/testing/pictures.ts';
import { type Args, type Dice, type Head, type Move, nobody, rev, word } from './dice.ts';

const vector = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><text y="9">${text}</text></svg>`;
const files: readonly Buffer[] = [
  ...(await Promise.all([1, 2, 3].map((shade) => plainPng(20, 10, shade)))),
  ...['one', 'two'].map((text) => Buffer.from(vector(text))),
  Buffer.from('<p>Not a picture.'),
];

/** What there is at the addresses that `fetch_asset_url` is given. */
export const fileAt = (url: string) => files[Number(new URL(url).searchParams.get('file'))]!;

function assetMove(tool: string, members: string[], more: (dice: Dice, node: Head<'asset'>) => Args): Move {
  return {
    tool,
    args(dice) {
      const node = dice.node('asset');
      return node && { asset: node.id, rev: rev(dice, node), ...more(dice, node) };
    },
    only: (args) => ({ node: args.asset as string, members }),
  };
}

export const mediaMoves: readonly Move[] = [
  {
    tool: 'upload_asset',
    args: (dice) => ({
      filename: word(dice),
      base64: dice.pick(files)!.toString('base64'),
      alt: word(dice),
    }),
    only: () => nobody,
  },
  {
    tool: 'fetch_asset_url',
    args: (dice) => ({
      url: `https://pictures.example/a.png?file=${dice.pick([...files.keys()])}`,
      alt: word(dice),
      credit: word(dice),
    }),
    only: () => nobody,
  },
  assetMove(
    'update_asset',
    ['filename', 'alt', 'caption', 'credit', 'focalPoint'],
    (dice) =>
      dice.pick<Args>([
        { set: { alt: word(dice) }, locale: dice.pick(['en', 'de', 'xx']) },
        { set: { caption: word(dice), filename: word(dice) } },
        { set: { focalPoint: { x: 0.5, y: 1 } } },
        { unset: ['caption', 'credit', 'focalPoint'] },
      ])!,
  ),
  assetMove('delete_asset', [], () => ({})),
];
