/** The beginning of a text, at most `max` UTF-16 units long; never half a character, which no store takes. */
export function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/\p{Surrogate}$/u, '');
}
