import { commentMoves } from './comment-moves.ts';
import type { Move } from './dice.ts';
import { entryMoves } from './entry-moves.ts';
import { mediaMoves } from './media-moves.ts';
import { pageMoves } from './page-moves.ts';
import { publishMoves } from './publish-moves.ts';
import { releaseMoves } from './release-moves.ts';
import { siteMoves } from './site-moves.ts';

/** Every sort of change, each as calls that mostly make sense and sometimes do not. */
export const moves: readonly Move[] = [
  ...pageMoves,
  ...entryMoves,
  ...siteMoves,
  ...mediaMoves,
  ...commentMoves,
  ...releaseMoves,
  ...publishMoves,
];
