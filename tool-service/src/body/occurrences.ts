/**
 * Where `find` occurs in `text`, without overlaps, from the left. Knuth, Morris and Pratt's search: `indexOf` takes the
 * product of both lengths on texts that repeat themselves, eleven seconds for 400 kB.
 */
export function occurrences(text: string, find: string): number[] {
  const border = new Uint32Array(find.length);
  for (let at = 1, length = 0; at < find.length; at++) {
    while (length > 0 && find.charCodeAt(at) !== find.charCodeAt(length)) length = border[length - 1]!;
    if (find.charCodeAt(at) === find.charCodeAt(length)) length++;
    border[at] = length;
  }
  const found: number[] = [];
  for (let at = 0, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== find.charCodeAt(length)) length = border[length - 1]!;
    if (text.charCodeAt(at) === find.charCodeAt(length)) length++;
    if (length === find.length) {
      found.push(at + 1 - length);
      length = 0;
    }
  }
  return found;
}
