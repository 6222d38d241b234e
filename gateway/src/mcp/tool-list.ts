import { hasScope, type Scopes } from '@cloudhal/shared/policy';
import {
  type Catalogue,
  listedTool,
  localToolNames,
  type ToolFacts,
  type Toolset,
  toolsets,
} from '@cloudhal/shared/tool';
import type { Tool } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';

export type ToolList = (catalogue: Catalogue, scopes: Scopes, sets: readonly Toolset[]) => Tool[];

/** Lists that were written out once; a list is looked up here by its identity (see `Exchange`). */
const writtenOut = new WeakMap<object, Buffer>();

/** The JSON of a tool list that `createToolList` made; undefined for any other value. */
export function writtenTools(tools: unknown): Buffer | undefined {
  return typeof tools === 'object' && tools !== null ? writtenOut.get(tools) : undefined;
}

/**
 * The catalogue as a principal sees it: only the tools that its scopes reach, in catalogue order. Toolsets keep the list
 * short; what they leave out stays callable. Equal questions get the same, already serialised list.
 */
export function createToolList(): ToolList {
  const lists = new LRUCache<string, Tool[]>({ max: 200 });
  return (catalogue, scopes, sets) => {
    const key = JSON.stringify([catalogue.digest, scopes === '*' ? '*' : [...scopes].sort(), [...sets].sort()]);
    let tools = lists.get(key);
    if (tools === undefined) {
      tools = catalogue.tools
        .filter((tool) => !localToolNames.includes(tool.name) && isReached(tool, scopes) && isIn(tool, sets))
        .map((tool) => listedTool(tool) as unknown as Tool);
      writtenOut.set(tools, Buffer.from(JSON.stringify(tools)));
      lists.set(key, tools);
    }
    return tools;
  };
}

/** The toolsets that a client, a key or a command line names, separated by commas. Unknown names count as not said. */
export function readToolsets(...sources: (string | readonly string[] | null | undefined)[]): Toolset[] {
  for (const source of sources) {
    const names = typeof source === 'string' ? source.split(',') : (source ?? []);
    const known = toolsets.filter((name) => names.some((said) => said.trim() === name));
    if (known.length > 0 || names.some((said) => said.trim() === 'all')) return known;
  }
  return [];
}

function isReached(tool: ToolFacts, scopes: Scopes): boolean {
  return tool.scopes.every((scope) => hasScope(scopes, scope));
}

function isIn(tool: ToolFacts, sets: readonly Toolset[]): boolean {
  return sets.length === 0 || tool.toolsets.some((set) => sets.includes(set));
}
