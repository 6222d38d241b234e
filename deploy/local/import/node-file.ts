import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { splitFrontmatter } from './read-markdown.ts';

/** A node as an export keeps it: whole, under the id that it has. */
export type ExportedNode = { id: string; kind: string; deleted?: boolean; body: Record<string, unknown> };

/** What an export says of itself, in `cloudhal.json`. */
export type Manifest = {
  format: 'cloudhal-site/1';
  site: { id: string; slug: string; title: string; locales: string[] };
  /** The state that was exported, and the digest that it has wherever all of it is. */
  snapshot: string;
  digest: string;
  nodes: number;
};
export const manifestName = 'cloudhal.json';

/** Where a node is kept, and its text: Markdown with the rest as frontmatter for what has a Markdown body, else JSON. */
export function toFile({ id, kind, deleted, body }: ExportedNode): { path: string; text: string } {
  const named = [body.slug, body.name].find((name) => typeof name === 'string') as string | undefined;
  const words = (named ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80);
  const path = join(deleted ? 'trash' : kind, words === '' ? id : `${words}.${id}`);
  const about = { id, kind, ...(deleted && { deleted }) };
  if (typeof body.body !== 'string')
    return { path: `${path}.json`, text: `${JSON.stringify({ ...about, body }, null, 2)}\n` };
  const { body: markdown, ...rest } = body;
  // Long lines are not folded, and nothing is left to guess: every text that could be read as something else is quoted.
  const head = stringify({ ...about, ...rest }, { lineWidth: 0, aliasDuplicateObjects: false });
  return { path: `${path}.md`, text: `---\n${head}---\n${markdown}` };
}

/** The node that a file keeps; undefined for a file that keeps none. */
export function fromFile(path: string, text: string): ExportedNode | undefined {
  if (path.endsWith('.json')) return exported(JSON.parse(text));
  const { head, body: markdown } = splitFrontmatter(text);
  if (head === undefined) return undefined;
  const { id, kind, deleted, ...rest } = parse(head, { maxAliasCount: 0 }) as ExportedNode;
  return exported({ id, kind, ...(deleted && { deleted }), body: { ...rest, body: markdown } });
}

function exported(value: ExportedNode): ExportedNode | undefined {
  const { id, kind, deleted, body } = value;
  if (typeof id !== 'string' || typeof kind !== 'string' || typeof body !== 'object' || body === null) return undefined;
  return { id, kind, ...(deleted === true && { deleted }), body };
}
