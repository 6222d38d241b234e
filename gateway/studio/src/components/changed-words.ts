import { diffWordsWithSpace } from 'diff';

/** Words that stayed, went or came. */
export type Piece = { value: string; added: boolean; removed: boolean };

/**
 * Word by word what a text loses and gains. Words that change side by side, on one line, are one change: a reader sees “one hundred”
 * become “fifty”, not each word beside a part of the other. Pure.
 */
export function changedWords(before: string, after: string): Piece[] {
  const pieces: Piece[] = [];
  let run: Piece[] = [];
  const endRun = () => {
    const side = (other: 'added' | 'removed') =>
      run
        .filter((piece) => !piece[other])
        .map(({ value }) => value)
        .join('');
    const [went, came] = [side('added'), side('removed')];
    // The space after both is part of neither.
    const space = spaceAfter(went) === spaceAfter(came) ? spaceAfter(came) : '';
    const [removed, added] = [went, came].map((text) => text.slice(0, text.length - space.length));
    if (removed) pieces.push({ value: removed, added: false, removed: true });
    if (added) pieces.push({ value: added, added: true, removed: false });
    if (space) pieces.push({ value: space, added: false, removed: false });
    run = [];
  };
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    const piece = { value, added, removed };
    if (!isSame(piece) || (run.length > 0 && onOneLine.test(value))) run.push(piece);
    else {
      endRun();
      pieces.push(piece);
    }
  }
  endRun();
  return pieces;
}

const onOneLine = /^[^\S\n]+$/;
const spaceAfter = (text: string) => text.slice(text.trimEnd().length);
const isSame = ({ added, removed }: Piece) => !added && !removed;
