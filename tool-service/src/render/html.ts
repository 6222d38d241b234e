/** Text that is HTML already. Only the `html` template and `raw` make it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Value = Html | string | number | false | null | undefined | readonly Value[];

/**
 * HTML with everything that is put into it escaped, in text and in quoted attributes. Lists are joined; `false`, `null`
 * and `undefined` put in nothing.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  let text = strings[0]!;
  for (const [index, value] of values.entries()) text += render(value) + strings[index + 1]!;
  return new Html(text);
}

/** HTML from elsewhere: only for what the sanitizer returned, and for the theme's own texts. */
export function raw(sanitized: string): Html {
  return new Html(sanitized);
}

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  if (value === false || value === null || value === undefined) return '';
  return escapeText(String(value));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Control characters are left out, and those that reorder text: a title could otherwise show what it does not say. */
function escapeText(text: string): string {
  return text
    .replace(/[\0-\b\v\f\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[&<>"']/g, (character) => entities[character]!);
}
