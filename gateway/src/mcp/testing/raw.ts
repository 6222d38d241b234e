/** Requests as they look on the wire, for what no well-behaved client sends. */

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
type Anything = any;
export type Message = {
  id?: string | number;
  method?: string;
  params?: Anything;
  result?: Anything;
  error?: Anything;
};
export type Raw = { status: number; headers: Headers; messages: AsyncGenerator<Message>; close(): void };

export async function post(
  url: string,
  body: unknown,
  { as = 'ann', headers = {} }: { as?: string; headers?: Record<string, string> } = {},
): Promise<Raw> {
  const controller = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    signal: controller.signal,
  });
  const { status, headers: sent } = response;
  return { status, headers: sent, messages: read(response), close: () => controller.abort() };
}

/** The one message of an answer that is no stream, or the last one of a stream. */
export async function answer(sent: Promise<Raw>): Promise<Message & { status: number; headers: Headers }> {
  const { status, headers, messages } = await sent;
  let last: Message = {};
  for await (const message of messages) last = message;
  return { ...last, status, headers };
}

/** A request with the envelope of the 2026-07-28 revision, and its headers. */
export function modern(method: string, params: Record<string, unknown> = {}, capabilities: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return {
    body: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    } as Record<string, string>,
  };
}

export function callOf(name: string, args: Record<string, unknown> = {}, id: string | number = 7) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** The `Mcp-Session-Id` of a new session. */
export async function startSession(
  url: string,
  as = 'ann',
  capabilities: object = { elicitation: {} },
): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } };
  const { headers } = await answer(post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, { as }));
  return headers.get('mcp-session-id') ?? '';
}

async function* read(response: Response): AsyncGenerator<Message> {
  const stream = response.headers.get('content-type')?.includes('text/event-stream');
  if (!response.body) return;
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (!stream) continue;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data) yield JSON.parse(data) as Message;
    }
  }
  if (!stream && text !== '') yield JSON.parse(text) as Message;
}
