import { changes as texts } from '../texts/changes.ts';

/** A member that changed, with its values as the server quotes them. */
export type Value = { member: string; before?: string; after?: string };

/** The same in words, and what it is of. */
export type Worded = Value & { of: string };

const isId = (part: string) => /^[a-z]{2}_[0-9a-z]{26}$/.test(part);
const correction = /^corrections\.([a-z]{2}_[0-9a-z]{26})\.(kind|text|correctedAt)$/;
const unquoted = (text: string) => text.replace(/^"(.*)"$/s, '$1');

/** A name of a field as people say it: `startsOn` is “Starts on”. */
export function fieldName(name: string): string {
  const known = texts.field(name);
  if (known !== undefined) return known;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What changed, for people: a correction is one thing, lists are lists, and nothing is called by an id. Pure. */
export function inWords(values: readonly Value[], nameOf: (id: string) => string): Worded[] {
  const corrections = new Map<string, Record<string, Value>>();
  const others: Worded[] = [];
  for (const value of values) {
    const member = unquoted(value.member);
    const [, id, part] = correction.exec(member) ?? [];
    if (id !== undefined && part !== undefined) corrections.set(id, { ...corrections.get(id), [part]: value });
    else if (member !== 'corrections (order)') others.push(valueInWords(member, value, nameOf));
  }
  return [...others, ...[...corrections].map(([id, parts]) => correctionInWords(id, parts))];
}

function valueInWords(member: string, { before, after }: Value, nameOf: (id: string) => string): Worded {
  const [, list] = /^(.*) \(order\)$/.exec(member) ?? [];
  if (list !== undefined) return { of: member, member: texts.order(fieldName(list)) };
  const isList = member === 'bylines' || member.startsWith('terms.');
  const said = (text: string) => (isList ? listInWords(text, nameOf) : text);
  return {
    of: member,
    member: memberName(member),
    ...(before !== undefined && { before: said(before) }),
    ...(after !== undefined && { after: said(after) }),
  };
}

/** The parts of a dotted name, but for what only machines need. */
function memberName(member: string): string {
  const known = texts.field(member);
  if (known !== undefined) return known;
  const parts = member.replace(/^(fields|terms)\./, '').split('.');
  return fieldName(parts.filter((part) => !isId(part) && part !== 'props').join(', '));
}

/** `"['climate','sea']"` is `climate, sea`. */
function listInWords(text: string, nameOf: (id: string) => string): string {
  return [...text.matchAll(/'([^']*)'/g)].map(([, one = '']) => nameOf(one)).join(', ');
}

function correctionInWords(id: string, { kind, text, correctedAt }: Record<string, Value>): Worded {
  const of = (value: Value | undefined) => unquoted(value?.after ?? value?.before ?? '');
  return {
    of: id,
    member: texts.correction(of(kind), of(correctedAt)),
    ...(text?.before !== undefined && { before: text.before }),
    ...(text?.after !== undefined && { after: text.after }),
  };
}
