/** A node of a summary's `diff`, as far as a question shows it. */
type Shown = {
  change?: unknown;
  title?: unknown;
  path?: unknown;
  body?: unknown;
  values?: { member?: unknown; before?: unknown; after?: unknown }[];
};

const maxLines = 80;
const maxWidth = 200;

/**
 * The changes of a summary as plain lines under it. Each is indented and marked, so that no text of the content can stand
 * where the server's own words stand.
 */
export function diffLines(diff: readonly unknown[] = []): string[] {
  const lines: string[] = [];
  for (const node of diff as readonly Shown[]) {
    const changes = [...valueLines(node.values ?? []), ...bodyLines(node.body)];
    if (changes.length === 0) continue;
    lines.push(`${text(node.title ?? node.path)}:`, ...changes.map((line) => `    ${cut(line)}`));
  }
  const hidden = lines.length - maxLines;
  return hidden > 0 ? [...lines.slice(0, maxLines), `… and ${hidden} more lines of changes.`] : lines;
}

function valueLines(values: NonNullable<Shown['values']>): string[] {
  return values.flatMap(({ member, before, after }) => [
    ...(before === undefined ? [] : [`- ${text(member)}: ${text(before)}`]),
    ...(after === undefined ? [] : [`+ ${text(member)}: ${text(after)}`]),
  ]);
}

/** A unified diff without its head: lines that begin with +, - or a space, and where they are. */
function bodyLines(body: unknown): string[] {
  if (typeof body !== 'string') return [];
  const lines = body.split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(start, 0)).filter((line) => /^[-+ @]/.test(line));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function cut(line: string): string {
  return line.length > maxWidth ? `${line.slice(0, maxWidth - 1)}…` : line;
}
