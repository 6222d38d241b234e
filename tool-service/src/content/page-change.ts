import { fail } from '@cloudhal/shared/errors';
import type { PageBody, Section } from '@cloudhal/shared/site/shapes';
import { mergeFields } from './merge-fields.ts';
import { mergeProps, sectionAt } from './sections.ts';

type Seo = NonNullable<PageBody['seo']>;

export type PageChange = {
  title?: string;
  seo?: Seo;
  /** Props to merge, by section. */
  sections?: Record<string, unknown>;
  /** `seo`, `seo.<member>`, or `sections.<section>.<prop>`. */
  unset?: string[];
};

type Unset = { seo: string[]; props: Map<string, string[]> };

/** A page with a change merged into it; what the change does not name stays as it is. */
export function changePage(page: PageBody, change: PageChange): PageBody {
  const { seo: before = {}, ...kept } = page;
  const unset = readUnset(change.unset ?? [], before);
  const seo = mergeFields(before, change.seo, unset.seo) as Seo;
  return {
    ...kept,
    ...(change.title !== undefined && { title: change.title }),
    sections: mergeSections(page.sections, change.sections ?? {}, unset.props),
    ...(Object.keys(seo).length > 0 && { seo }),
  };
}

function mergeSections(
  sections: readonly Section[],
  set: Record<string, unknown>,
  unset: ReadonlyMap<string, string[]>,
): Section[] {
  const named = new Set([...Object.keys(set), ...unset.keys()]);
  for (const id of named) sectionAt(sections, id);
  return sections.map((section) => {
    if (!named.has(section.id)) return section;
    const path = `set.sections.${section.id}`;
    const props = Object.hasOwn(set, section.id) ? set[section.id] : {};
    return mergeProps(section, anObject(props, path), unset.get(section.id) ?? [], path);
  });
}

function anObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw fail('validation_failed', { path, expected: 'an object of props' });
}

function readUnset(names: readonly string[], seo: Seo): Unset {
  const unset: Unset = { seo: [], props: new Map() };
  for (const name of names) {
    const [first, second, third, ...more] = name.split('.');
    if (name === 'seo') unset.seo.push(...Object.keys(seo));
    else if (first === 'seo' && second && third === undefined) unset.seo.push(second);
    else if (first === 'sections' && second && third && more.length === 0) {
      unset.props.set(second, [...(unset.props.get(second) ?? []), third]);
    } else {
      const expected = 'seo, seo.title, seo.description, seo.noindex, or sections.<section>.<prop>';
      throw fail('validation_failed', { path: `unset.${name}`, expected });
    }
  }
  return unset;
}
