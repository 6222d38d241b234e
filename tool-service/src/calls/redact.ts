import { createHash } from 'node:crypto';

// Credentials by their shapes: our own agent keys, GitHub, OpenAI-like, AWS, Slack, JWTs and private keys.
const secrets =
  /chk_[A-Za-z0-9_]{8,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|\bsk-[A-Za-z0-9_-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-[A-Za-z0-9-]{10,}|\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/;

/** Members that say what a call is about; everything else that is long is content. */
const plainMembers = new Set([
  'reason',
  'note',
  'title',
  'label',
  'path',
  'slug',
  'url',
  'from',
  'to',
  'query',
  'requestId',
]);
const longest = { content: 64, plain: 300 };
const mostItems = 60;
const deepest = 8;

/** Arguments as the record keeps them: long text becomes its length and hash, secrets become nothing. */
export function redact(args: Record<string, unknown>): unknown {
  const { confirmToken: _, ...kept } = args;
  return redactValue(kept, '', 0);
}

/** A note as the record keeps it. */
export function redactNote(note: string): string {
  return secrets.test(note) ? '[secret]' : note;
}

function redactValue(value: unknown, member: string, depth: number): unknown {
  if (typeof value === 'string') return redactText(value, member);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return summary(JSON.stringify(value));
  if (Array.isArray(value)) {
    const items = value.slice(0, mostItems).map((item) => redactValue(item, member, depth + 1));
    return value.length > mostItems ? [...items, { more: value.length - mostItems }] : items;
  }
  const members = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(
    members.map(([name, inner]) => [redactText(name, 'label'), redactValue(inner, name, depth + 1)]),
  );
}

function redactText(text: string, member: string): unknown {
  if (secrets.test(text)) return '[secret]';
  const most = plainMembers.has(member) ? longest.plain : longest.content;
  return text.length <= most ? text : summary(text);
}

function summary(text: string): { length: number; sha256: string } {
  return { length: text.length, sha256: createHash('sha256').update(text).digest('hex') };
}
