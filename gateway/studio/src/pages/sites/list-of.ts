/** The words of a text that lists them, with commas or without. */
export function listOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== '');
}
