import { fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import { sectionTypes } from '@cloudhal/shared/site/section-types';
import type { Section } from '@cloudhal/shared/site/shapes';
import { conform } from './conform.ts';
import { mergeFields } from './merge-fields.ts';

export type NewSection = { type: string; props: Record<string, unknown> };
/** Exactly one of them; at the end of the page when there is none. */
type Position = { after?: string; before?: string; index?: number };

export const maxSections = 200;

/** A section with an id of its own, checked against its type. */
export function newSection({ type, props }: NewSection, path: string): Section {
  checkSection({ type, props }, path);
  return { id: newId('se'), type, props };
}

export function newSections(sections: readonly NewSection[], path = 'sections'): Section[] {
  if (sections.length > maxSections) throw fail('limit_exceeded', { what: 'The number of sections', max: maxSections });
  return sections.map((section, index) => newSection(section, `${path}[${index}]`));
}

/** The section with some of its props set or removed. */
export function mergeProps(
  section: Section,
  set: Record<string, unknown>,
  unset: readonly string[],
  path = 'set',
): Section {
  const props = mergeFields(section.props, set, unset);
  checkProps(section.type, props, path);
  return { ...section, props };
}

export function insertSection(sections: readonly Section[], section: Section, position: Position): Section[] {
  if (sections.length >= maxSections)
    throw fail('limit_exceeded', { what: 'The number of sections', max: maxSections });
  const place = placeOf(sections, position);
  return [...sections.slice(0, place), section, ...sections.slice(place)];
}

export function sectionAt(sections: readonly Section[], id: string): Section {
  const section = sections.find((candidate) => candidate.id === id);
  if (!section) throw fail('not_found', { what: 'section of this page', id });
  return section;
}

/** What is wrong with a page's sections, as sentences; section types may have changed since they were written. */
export function sectionProblems(sections: readonly Section[]): string[] {
  return sections.flatMap((section) => {
    try {
      checkSection(section, section.id);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : ''];
    }
  });
}

function checkSection({ type, props }: NewSection, path: string): void {
  if (!Object.hasOwn(sectionTypes, type)) {
    const expected = `one of ${Object.keys(sectionTypes).join(', ')}`;
    throw fail('validation_failed', { path: path === '' ? 'type' : `${path}.type`, expected });
  }
  checkProps(type, props, path === '' ? 'props' : `${path}.props`);
}

function checkProps(type: string, props: Record<string, unknown>, path: string): void {
  conform(sectionTypes[type as keyof typeof sectionTypes].props, props, path);
}

function placeOf(sections: readonly Section[], { after, before, index }: Position): number {
  const given = [after, before, index].filter((value) => value !== undefined);
  if (given.length > 1) {
    throw fail('validation_failed', { path: 'position', expected: 'only one of after, before and index' });
  }
  if (index !== undefined) return Math.min(index, sections.length);
  const beside = after ?? before;
  if (beside === undefined) return sections.length;
  const place = sections.indexOf(sectionAt(sections, beside));
  return after === undefined ? place : place + 1;
}
