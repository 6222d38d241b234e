import type { Section } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import type { GraphNode } from '../../graph/node.ts';
import { bytesPerToken, defaultMaxTokens } from '../tokens.ts';

const Open = Type.Unsafe<object>({ type: 'object' });

/** What identifies a page; the answer to a write. */
export const PageHeadData = Type.Object({
  id: Type.String(),
  path: Type.String(),
  title: Type.String(),
  locale: Type.String(),
  rev: Type.Integer(),
});

/** A page as tools return it. */
export const PageData = Type.Object({
  ...PageHeadData.properties,
  status: Type.String(),
  embargo: Type.Optional(Type.String()),
  sections: Type.Optional(Type.Array(Open)),
  seo: Type.Optional(Open),
});

export function pageHead({ id, rev, body }: GraphNode<'page'>) {
  const { path, title, locale, parent } = body;
  return { id, path, title, locale, ...(parent !== undefined && { parent }), rev };
}

/** The answer to a change of one section. */
export const ChangedSection = Type.Object({ ...PageHeadData.properties, section: Type.Optional(Open) });

export function changedSection(node: GraphNode<'page'>, id: string) {
  const index = node.body.sections.findIndex((section) => section.id === id);
  return { ...pageHead(node), ...(index >= 0 && { section: { ...node.body.sections[index]!, index } }) };
}

/** The sections that fit into `maxTokens`, in order; of the others only what they are. */
export function shownSections(sections: readonly Section[], maxTokens: number = defaultMaxTokens) {
  let left = maxTokens * bytesPerToken;
  let truncated = false;
  const shown = sections.map((section, index) => {
    left -= Buffer.byteLength(JSON.stringify(section.props));
    if (left >= 0 || index === 0) return section;
    truncated = true;
    return { id: section.id, type: section.type };
  });
  return { sections: shown, truncated };
}
