/** The SDK's low-level server with one trivial tool, and nothing else. */
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { serve } from './announce.ts';

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'sdk', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({
    tools: [{ name: 'tool_0', description: 'Says hello.', inputSchema: { type: 'object' as const } }],
  }));
  server.setRequestHandler('tools/call', async () => ({ content: [{ type: 'text', text: 'hello' }] }));
  return server;
});
const node = toNodeHandler(handler);
serve((request, response) => void node(request, response));
