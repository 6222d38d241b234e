import { scopes } from '@cloudhal/shared/policy';
import { type JsonSchema, listedTool } from '@cloudhal/shared/tool';
import { describe, expect, it } from 'vitest';
import { tools } from './index.ts';

type Node = JsonSchema & {
  type?: unknown;
  items?: Node;
  properties?: Record<string, Node>;
  required?: unknown;
  additionalProperties?: unknown;
  description?: unknown;
};

const forbidden = ['$ref', '$defs', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'patternProperties'];

/** What some client would refuse or misread, as sentences with the place. */
function faults(schema: Node, place: string, top = true): string[] {
  const found = forbidden.filter((word) => word in schema).map((word) => `${place} has ${word}`);
  if (typeof schema.type !== 'string') found.push(`${place} does not name one type`);
  if (!top && typeof schema.description !== 'string') found.push(`${place} is not described`);
  if (schema.type === 'array' && !schema.items) found.push(`${place} does not say what its items are`);
  if (schema.type === 'string' && !schema.enum && schema.maxLength === undefined)
    found.push(`${place} has no maxLength`);
  if (schema.type === 'array' && schema.maxItems === undefined) found.push(`${place} has no maxItems`);
  if (schema.properties) {
    if (!Array.isArray(schema.required)) found.push(`${place} does not say what is required`);
    if (schema.additionalProperties !== false) found.push(`${place} takes undeclared members`);
    for (const [name, member] of Object.entries(schema.properties))
      found.push(...faults(member, `${place}.${name}`, false));
  } else if (schema.type === 'object' && schema.additionalProperties !== true) {
    found.push(`${place} neither names its members nor is open`);
  }
  // Items are described by the array that holds them.
  if (schema.items) found.push(...faults({ description: '', ...schema.items }, `${place}[]`, false));
  return found;
}

describe('the tool table', () => {
  it.each(tools.map((tool) => [tool.facts.name, tool.facts] as const))('%s fits every client', (_, facts) => {
    expect(facts.name).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
    expect(facts.title.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(facts.description)).toBeLessThanOrEqual(2048);
    expect(facts.inputSchema.type).toBe('object');
    expect(facts.outputSchema.type).toBe('object');
    expect(faults(facts.inputSchema as Node, facts.name)).toEqual([]);
  });

  it.each(tools.map((tool) => [tool.facts.name, tool.facts] as const))(
    '%s has honest hints and known scopes',
    (_, facts) => {
      expect(facts.annotations.readOnlyHint && (facts.mutates || facts.annotations.destructiveHint)).toBe(false);
      for (const scope of facts.scopes) expect(scopes).toContain(scope);
      const properties = facts.inputSchema.properties as Record<string, unknown>;
      expect('confirmToken' in properties).toBe(facts.mutates);
    },
  );

  it('names each tool once', () => {
    const names = tools.map((tool) => tool.facts.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('lists in under 100 kB', () => {
    const listed = tools.map(({ facts }) => listedTool(facts));
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThan(100_000);
  });
});
