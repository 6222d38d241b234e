import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';

export { inputRequired, inputResponse, ProtocolError, ResourceTemplate } from '@modelcontextprotocol/server';
/** What the conformance program builds fixtures from; no other room knows the SDK. */
export type { CallToolResult, InputRequiredResult, McpServer, ServerContext, Tool };

/** What only the conformance suite needs: its own tools, prompts and resources. No setting of a deployment can name one. */
export type Fixtures = {
  tools: Tool[];
  /** Undefined for a tool that is no fixture. */
  call(request: CallToolRequest, ctx: ServerContext): Promise<CallToolResult | InputRequiredResult> | undefined;
  /** Registers the rest on a server that is about to serve. */
  attach(mcp: McpServer): void;
};
