import type { Effect, Scope } from './policy.ts';

/** A JSON Schema (2020-12) document. */
export type JsonSchema = Record<string, unknown>;

/** Tools of commands at this machine (`cloudhal export`, `import`): agents and Studio neither list nor call them. */
export const localToolNames: readonly string[] = ['export_nodes', 'restore_nodes'];

/** Where a tool runs; each pool has its own workers and scales apart. */
export const pools = ['content', 'media', 'render'] as const;
export type Pool = (typeof pools)[number];

export const toolsets = ['core', 'editorial', 'media', 'moderation', 'i18n', 'design', 'release', 'insight'] as const;
export type Toolset = (typeof toolsets)[number];

/** MCP's tool hints, all four always said. */
export type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** A row of the catalogue: all that other rooms know about a tool. The handler never leaves tool-service. */
export type ToolFacts = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: Annotations;
  effect: Effect;
  scopes: Scope[];
  pool: Pool;
  toolsets: Toolset[];
  /** The risk depends on the change itself: ask `tools.assess` before deciding. */
  assessed: boolean;
  /** Its result carries text from strangers: the key is tainted before the call goes on. */
  untrusted: boolean;
  /** Makes exactly one snapshot when it changes something. */
  mutates: boolean;
  /** `read` 10 s, `mutation` 25 s, `render` 40 s. */
  budgetMs: number;
};

/**
 * A tool as clients list it, whom most show whole to their model: short. What its data consists of is left to the reference
 * pages; how long a text or a list may be is said by the error to the few that are longer; what a schema or a hint means
 * when it is not said is not said.
 */
export function listedTool({ name, title, description, inputSchema, annotations }: ToolFacts) {
  const { readOnlyHint, idempotentHint, ...others } = annotations;
  return {
    name,
    title,
    description,
    inputSchema: listedSchema(inputSchema),
    outputSchema: { type: 'object' },
    annotations: { ...(readOnlyHint && { readOnlyHint }), ...(idempotentHint && { idempotentHint }), ...others },
  };
}

/** That nothing undeclared is taken is said once, at the top. */
function listedSchema(schema: JsonSchema, isTop = true): JsonSchema {
  const { maxLength, minLength, maxItems, additionalProperties, properties, items, ...rest } = schema;
  return {
    ...rest,
    ...(isTop && additionalProperties === false && { additionalProperties }),
    ...(isSchema(items) && { items: listedSchema(items, false) }),
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [
          name,
          isSchema(member) ? listedSchema(member, false) : member,
        ]),
      ),
    }),
  };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

export type Catalogue = { digest: string; tools: ToolFacts[] };

export const budgets = { read: 10_000, mutation: 25_000, render: 40_000 } as const;

/** What a tool answers; the same value is the structured content and, as JSON, the text of an MCP result. */
export type ToolResult = {
  data: unknown;
  /** The changed node's new rev. */
  rev?: number;
  /** The id of the one snapshot that the call made. */
  snapshot?: string;
  changed?: boolean;
  cursor?: string;
  truncated?: boolean;
  warnings?: string[];
  /** Suggested next steps, as sentences. */
  next?: string[];
  /** Pictures for the model to look at, 300 KiB of base64 in all at most; they become image content and are no part of the data. */
  images?: ResultImage[];
};

export type ResultImage = { mimeType: 'image/png' | 'image/jpeg' | 'image/webp'; base64: string };
