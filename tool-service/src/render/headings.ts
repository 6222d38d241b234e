/**
 * Gives headings of any level a gapless order below a heading that is there already: the first becomes `top`, one that was
 * deeper than the last goes one down, at most to h6.
 */
export function headingLevels(top: number): (level: number) => number {
  const open: number[] = [];
  return (level) => {
    while (open.length > 0 && open.at(-1)! >= level) open.pop();
    open.push(level);
    return Math.min(top + open.length - 1, 6);
  };
}

/** Ids for headings, unique within a page: letters and digits of the text, joined by hyphens. */
export function headingIds(taken: Set<string>): (text: string) => string | undefined {
  return (text) => {
    const slug = text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .slice(0, 80)
      .replace(/^-|-$/g, '');
    if (slug === '') return undefined;
    let id = slug;
    for (let n = 2; taken.has(id); n++) id = `${slug}-${n}`;
    taken.add(id);
    return id;
  };
}
