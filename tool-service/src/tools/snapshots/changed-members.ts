import { cut } from '@cloudhal/shared/cut';

export type ChangedMember = { member: string; before?: unknown; after?: unknown };

/** Texts longer than this are cut where a change is shown. */
const shown = 300;
/** What is derived from something else, and what has a format of its own. */
const leftOut = new Set(['blocks', 'body', 'path', 'translated']);

/** The members of two bodies that differ, by dotted names; sections go by their ids. `body` is only named. */
export function changedMembers(before: object, after: object): ChangedMember[] {
  const [old, now] = [flat(before), flat(after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name));
  const members = changed.map((member) => ({
    member,
    ...side('before', old.get(member)),
    ...side('after', now.get(member)),
  }));
  const bodies = [before, after].map((body) => ('body' in body ? body.body : undefined));
  return bodies[0] === bodies[1] ? members : [...members, { member: 'body' }];
}

function side(name: 'before' | 'after', json: string | undefined): ChangedMember | object {
  if (json === undefined) return {};
  const value: unknown = JSON.parse(json);
  if (typeof value === 'string') return { [name]: value.length > shown ? `${cut(value, shown)}…` : value };
  return { [name]: json.length > shown ? `${cut(json, shown)}…` : value };
}

function flat(value: object): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (inner: unknown, name: string) => {
    if (isPlain(inner)) for (const [member, next] of Object.entries(inner)) visit(next, `${name}.${member}`);
    else if (isListById(inner)) {
      found.set(`${name} (order)`, JSON.stringify(inner.map(({ id }) => id)));
      for (const { id, ...rest } of inner) visit(rest, `${name}.${id}`);
    } else found.set(name, JSON.stringify(inner));
  };
  for (const [member, inner] of Object.entries(value)) if (!leftOut.has(member)) visit(inner, member);
  return found;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

function isListById(value: unknown): value is { id: string }[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => isPlain(item) && typeof item.id === 'string')
  );
}
