import { canonicalJson } from '@cloudhal/shared/canonical-json';

type Members = Record<string, unknown>;

/** Members whose own members are compared one by one. */
const nested = new Set(['fields', 'terms', 'seo', 'translations']);
/** Follows from another member and goes with it. */
const companions: Record<string, string> = { blocks: 'body' };

/**
 * The body `now` with the step from `before` to `after` taken back, member by member; `conflicts` names those that the step
 * changed and that are something else by now.
 */
export function takeBack(before: object, after: object, now: object): { body: object; conflicts: string[] } {
  const conflicts: string[] = [];
  const body = step(before as Members, after as Members, now as Members, '', conflicts);
  return { body, conflicts };
}

function step(before: Members, after: Members, now: Members, prefix: string, conflicts: string[]): Members {
  const result: Members = { ...now };
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (same(before[name], after[name])) continue;
    const leader = prefix === '' ? companions[name] : undefined;
    if (leader !== undefined && !same(before[leader], after[leader])) continue;
    if (
      isMembers(before[name]) &&
      isMembers(after[name]) &&
      isMembers(now[name]) &&
      (nested.has(name) || prefix.endsWith('].'))
    ) {
      result[name] = step(before[name], after[name], now[name], `${prefix}${name}.`, conflicts);
    } else if (
      isListById(before[name]) &&
      isListById(after[name]) &&
      isListById(now[name]) &&
      sameIds(before[name], after[name], now[name])
    ) {
      result[name] = stepList(before[name], after[name], now[name], `${prefix}${name}`, conflicts);
    } else if (same(now[name], after[name])) {
      set(result, name, before[name]);
      if (name === 'body') set(result, 'blocks', before.blocks);
    } else if (!same(now[name], before[name])) {
      conflicts.push(`${prefix}${name}`);
    }
  }
  return result;
}

type Item = Members & { id: string };

/** Lists of the same things, such as a page's sections: each is taken back by itself. */
function stepList(before: Item[], after: Item[], now: Item[], place: string, conflicts: string[]): Item[] {
  const find = (list: Item[], id: string) => list.find((item) => item.id === id)!;
  return now.map(
    (item) => step(find(before, item.id), find(after, item.id), item, `${place}[${item.id}].`, conflicts) as Item,
  );
}

function set(target: Members, name: string, value: unknown): void {
  if (value === undefined) delete target[name];
  else target[name] = value;
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListById(value: unknown): value is Item[] {
  return Array.isArray(value) && value.every((item) => isMembers(item) && typeof item.id === 'string');
}

function sameIds(...lists: Item[][]): boolean {
  const [first, ...rest] = lists.map((list) => list.map((item) => item.id).join('\n'));
  return rest.every((ids) => ids === first);
}
