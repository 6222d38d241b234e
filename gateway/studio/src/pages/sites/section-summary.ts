/** What is said of a section in a list: its first words, its picture, and how many things it lists. */
export type Summary = { words: string; picture?: string; listed?: number };

const isAsset = (value: unknown): value is string => typeof value === 'string' && /^as_[0-9a-z]{26}$/.test(value);
const first = ['heading', 'title', 'text', 'markdown', 'caption'];

/** Pure. Reads any section, also one of a type that is not known here. */
export function summaryOf(props: Record<string, unknown>): Summary {
  const values = [...first.map((name) => props[name]), ...Object.values(props)];
  const words = values.find((value) => typeof value === 'string' && value.trim() !== '' && !isAsset(value));
  const picture = values.find(isAsset);
  const listed = values.find((value) => Array.isArray(value));
  return {
    words: typeof words === 'string' ? firstLine(words) : '',
    ...(picture !== undefined && { picture }),
    ...(Array.isArray(listed) && { listed: listed.length }),
  };
}

/** The first line that says something, without the signs of a heading. */
function firstLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
  return line.replace(/^\s*#+\s*/, '').trim();
}
