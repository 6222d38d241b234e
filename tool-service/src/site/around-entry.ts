import type { Correction } from '@cloudhal/shared/site/correction';
import type { PersonBody } from '@cloudhal/shared/site/person';
import type { EntryBody, SiteBody } from '@cloudhal/shared/site/shapes';
import { titleOf } from '../changes/title.ts';
import { namedNodes } from '../graph/named-nodes.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import type { Reference, References } from '../render/index.ts';
import { placeOfNode } from './locale-paths.ts';

/** What readers know of the people and nodes that an entry names. */
export async function referencesOf(view: View, site: SiteBody, entry: GraphNode, at: At): Promise<References> {
  const nodes = await view.nodes(namedNodes(entry), at);
  return new Map(nodes.map((node): [string, Reference] => [node.id, referenceTo(site, node)]));
}

function referenceTo(site: SiteBody, node: GraphNode): Reference {
  const url = node.kind === 'person' ? (node.body as PersonBody).url : undefined;
  return {
    title: titleOf(node),
    ...(node.path !== undefined && { path: placeOfNode(site, node) }),
    ...(url !== undefined && { url }),
  };
}

/** What was corrected in the entry that another is a translation of: its readers were told the same. */
export async function originalOf(
  view: View,
  { translation }: EntryBody,
  at: At,
): Promise<{ original: { locale: string; corrections: Correction[] } } | undefined> {
  if (!translation) return undefined;
  const [node] = (await view.nodes([translation.of], at)) as GraphNode<'entry'>[];
  const { locale, corrections } = node?.body ?? {};
  return locale !== undefined && corrections ? { original: { locale, corrections } } : undefined;
}
