import { fail } from '@cloudhal/shared/errors';
import type { ContentTypeBody } from '@cloudhal/shared/site/shapes';
import { conform } from '../../content/conform.ts';
import type { Condition } from '../../graph/node.ts';

/** Condition on one field, by operator. */
export const Operators = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    eq: { type: ['string', 'number', 'boolean', 'null'], maxLength: 1000 },
    in: { type: 'array', maxItems: 50, items: { type: ['string', 'number', 'boolean'], maxLength: 1000 } },
    gt: { type: ['string', 'number'], maxLength: 1000 },
    lt: { type: ['string', 'number'], maxLength: 1000 },
    contains: { type: 'string', minLength: 1, maxLength: 1000 },
    exists: { type: 'boolean' },
  },
};

const maxConditions = 20;

/** The conditions of an argument such as `{"publishedOn": {"gt": "2026-01-01"}}`. */
export function whereFields(type: ContentTypeBody, where: Record<string, unknown>): Condition[] {
  const conditions = Object.entries(where).flatMap(([field, operators]) => {
    checkField(type, field, `where.${field}`);
    conform(Operators, operators, `where.${field}`);
    return Object.entries(operators as object).map(
      ([is, value]) => ({ member: `fields.${field}`, is, value }) as Condition,
    );
  });
  if (conditions.length > maxConditions) {
    throw fail('limit_exceeded', { what: 'The number of conditions', max: maxConditions });
  }
  return conditions;
}

/** Refuses what is not a field of the type. */
export function checkField(type: ContentTypeBody, field: string, path: string): void {
  const names = Object.keys((type.fields as { properties?: object }).properties ?? {});
  if (names.includes(field)) return;
  throw fail('validation_failed', { path, expected: `a field of ${type.name}: ${names.join(', ')}` });
}
