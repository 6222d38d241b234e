import { fail } from '@cloudhal/shared/errors';
import type { View } from '../graph/view.ts';

/** The ids of people who are named by id or slug; who has no record cannot be named. */
export async function personIds(view: View, refs: readonly string[], path: string): Promise<string[]> {
  const people = await Promise.all(refs.map((ref) => view.find('person', ref)));
  const missing = people.findIndex((person) => !person);
  if (missing >= 0) {
    throw fail('validation_failed', {
      path: `${path}[${missing}]`,
      expected: 'the id or slug of a person, see list_people; propose_person adds one',
    });
  }
  return [...new Set(people.map((person) => person!.id))];
}
