import { fail } from '@cloudhal/shared/errors';
import { type ContentTypeBody, type NodeKind, nodeKinds } from '@cloudhal/shared/site/shapes';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

/** The kinds of nodes that a field may name, beside the content types. */
export const referencedKinds = nodeKinds.filter((kind) => ['page', 'entry', 'person', 'term', 'asset'].includes(kind));

type FieldSchema = { references?: string; items?: FieldSchema };

/**
 * Fields of a type in which what names a node has been looked up: by id, path or slug. What is stored is its id, so a node
 * that moves is still the one that was meant.
 */
export async function resolveReferences<F extends Record<string, unknown> | undefined>(
  view: View,
  type: ContentTypeBody,
  fields: F,
  path: string,
): Promise<F> {
  const properties = (type.fields.properties ?? {}) as Record<string, FieldSchema>;
  const resolved = Object.entries(fields ?? {}).map(async ([name, value]): Promise<[string, unknown]> => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const one = (ref: unknown, target: string, place: string) =>
      typeof ref === 'string' ? idOf(view, target, ref, place) : ref;
    if (schema?.references !== undefined) return [name, await one(value, schema.references, `${path}.${name}`)];
    const target = schema?.items?.references;
    if (target === undefined || !Array.isArray(value)) return [name, value];
    const ids = value.map((ref, index) => one(ref, target, `${path}.${name}[${index}]`));
    return [name, await Promise.all(ids)];
  });
  return (fields && Object.fromEntries(await Promise.all(resolved))) as F;
}

async function idOf(view: View, target: string, ref: string, path: string): Promise<string> {
  const kind = (referencedKinds as string[]).includes(target) ? (target as NodeKind) : 'entry';
  const node = await view.find(kind, ref);
  const fits = node && (kind === target || (node as GraphNode<'entry'>).body.type === target);
  if (!fits) {
    throw fail('validation_failed', { path, expected: `the id, path or slug of a ${target.replace('_', ' ')}` });
  }
  return node.id;
}
