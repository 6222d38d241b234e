import { contentHash } from '@cloudhal/shared/canonical-json';
import type { Catalogue } from '@cloudhal/shared/tool';
import type { Tool } from './define-tool.ts';

/** What other rooms know of the tools, in listing order; the digest changes with any of it. */
export function catalogueOf(tools: readonly Tool[]): Catalogue {
  const facts = tools.map((tool) => tool.facts);
  return { digest: contentHash(facts), tools: facts };
}

/** The committed form of the table, `tool-service/tools.json`, in which a change of it is reviewed. */
export function toolsJson(tools: readonly Tool[]): string {
  return `${JSON.stringify(catalogueOf(tools), null, 2)}\n`;
}
