import type { Call } from './harness.ts';

const revision = '2026-07-28';

/** A request of the 2026-07-28 revision as its clients send it. The id is always the same, so equal answers are equal bytes. */
export function mcpRequest(method: string, params: Record<string, unknown>, key?: string): Call {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
}

export function toolCall(name: string, args: Record<string, unknown>, key?: string): Call {
  return mcpRequest('tools/call', { name, arguments: args }, key);
}

export type ToolAnswer = { data: Record<string, unknown>; rev?: number; snapshot?: string };

/** What a tool answered; throws where it did not do what it was asked. */
export function resultOf(text: string): ToolAnswer {
  const { result } = JSON.parse(text) as { result?: { isError?: boolean; structuredContent?: ToolAnswer } };
  if (result?.structuredContent === undefined || result.isError) throw new Error(text.slice(0, 400));
  return result.structuredContent;
}
