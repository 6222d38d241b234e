/** A stretch of a text diff: what stayed, or what went and what came in its place. */
export type Block = { same: string[] } | { before: string[]; after: string[] };
/** A hunk of a unified diff: a place in the text. */
export type Hunk = Block[];

/** Reads a unified diff; what is none is one hunk that stayed. Pure. */
export function hunksOf(patch: string): Hunk[] {
  const lines = patch.split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  if (start < 0) return [[{ same: lines }]];
  const hunks: Hunk[] = [];
  for (const line of lines.slice(start)) {
    const text = line.slice(1);
    if (line.startsWith('@@')) hunks.push([]);
    else if (line.startsWith(' ')) sameIn(hunks.at(-1)!).push(text);
    else if (line.startsWith('-')) changeIn(hunks.at(-1)!, 'before').before.push(text);
    else if (line.startsWith('+')) changeIn(hunks.at(-1)!, 'after').after.push(text);
    // The text was cut here, or has no line end at its end.
    else if (line === '…') sameIn(hunks.at(-1)!).push(line);
  }
  return hunks;
}

function sameIn(hunk: Hunk): string[] {
  const last = hunk.at(-1);
  if (last && 'same' in last) return last.same;
  const block = { same: [] as string[] };
  hunk.push(block);
  return block.same;
}

function changeIn(hunk: Hunk, side: 'before' | 'after') {
  const last = hunk.at(-1);
  // What goes after something came is another place.
  if (last && 'before' in last && !(side === 'before' && last.after.length > 0)) return last;
  const block = { before: [] as string[], after: [] as string[] };
  hunk.push(block);
  return block;
}
