/** The SDK's `McpServer` with 100 registered tools, as its examples are written: a server for each request. */
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serve } from './announce.ts';

type Arguments = { entry: string };

const text = (description: string) => ({ type: 'string' as const, minLength: 1, maxLength: 2048, description });
const tools = Array.from({ length: 100 }, (_, number) => ({
  name: `tool_${number}`,
  title: `Tool number ${number}`,
  description: `Reads or changes one entry of a site, the ${number}th way to do so. Send the rev that you read; a stale one is refused.`,
  inputSchema: fromJsonSchema<Arguments>({
    type: 'object',
    properties: {
      site: text('The site: its id or slug.'),
      entry: text('The entry: its id, path or slug.'),
      rev: { type: 'integer', minimum: 1, description: 'The rev that you read.' },
      locale: text('Where several locales share a slug.'),
      format: { type: 'string', enum: ['markdown', 'blocks', 'outline'], description: 'How the body is given.' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many at most.' },
    },
    required: ['entry'],
    additionalProperties: false,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}));

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'sdk100', version: '1.0.0' });
  for (const { name, ...tool } of tools) {
    server.registerTool(name, tool, async ({ entry }) => ({ content: [{ type: 'text', text: `hello ${entry}` }] }));
  }
  return server;
});
const node = toNodeHandler(handler);
serve((request, response) => void node(request, response));
