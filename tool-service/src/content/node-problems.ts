import type { DesignBody } from '@cloudhal/shared/site/design';
import type { MenuBody } from '@cloudhal/shared/site/menu';
import type { EntryBody, PageBody } from '@cloudhal/shared/site/shapes';
import { contrastFaults } from '../design/contrast.ts';
import { designOf } from '../design/tokens.ts';
import { kindRow } from '../graph/kinds.ts';
import { namedNodes, shownAssets } from '../graph/named-nodes.ts';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { missingAlt } from '../readiness/missing-alt.ts';
import { checkFields } from './entries.ts';
import { hiddenItems, shownItems } from './menus.ts';
import { missingPaths } from './missing-paths.ts';
import { redirectProblems } from './redirect-problems.ts';
import { sectionProblems } from './sections.ts';

/** What is wrong with the draft of a node as it is, in sentences: its schema, and paths that lead nowhere. */
export async function nodeProblems(view: View, node: GraphNode): Promise<string[]> {
  return [
    ...(await schemaProblems(view, node)),
    ...(await deadPaths(view, node)),
    ...(await deadNames(view, node)),
    ...(await missingAlt(view, node)).map((fault) => `It ${fault}`),
  ];
}

async function schemaProblems(view: View, node: GraphNode): Promise<string[]> {
  if (node.kind === 'page') return sectionProblems((node.body as PageBody).sections);
  if (node.kind === 'design') return contrastFaults(designOf(node.body as DesignBody));
  if (node.kind === 'menu') return hiddenItems(await shownItems(view, (node.body as MenuBody).items));
  if (node.kind === 'redirect') return redirectFaults(view, node as GraphNode<'redirect'>);
  if (node.kind !== 'entry') return [];
  const entry = node.body as EntryBody;
  try {
    checkFields(await view.contentType(entry.type), entry.fields, 'fields');
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** A dead end is told as every path that leads nowhere. */
async function redirectFaults(view: View, node: GraphNode<'redirect'>): Promise<string[]> {
  const problem = (await redirectProblems(view, [node])).get(node.id);
  return problem === undefined || problem === 'dead' ? [] : [`It is part of a ${problem} of redirects.`];
}

async function deadNames(view: View, node: GraphNode): Promise<string[]> {
  const named = [...new Set([...namedNodes(node), ...shownAssets(node)])];
  const there = new Set((await view.nodes(named)).map(({ id }) => id));
  return named.filter((id) => !there.has(id)).map((id) => `It names ${id}, which is not there.`);
}

async function deadPaths(view: View, node: GraphNode): Promise<string[]> {
  const links = kindRow(node.kind).links?.(node.body as never) ?? [];
  const targets = links.map((link) => link.target).filter((target) => target.startsWith('/'));
  const missing = await missingPaths(view, targets);
  return [...missing].map((path) => `Nothing is at ${path}, which it links to.`);
}
