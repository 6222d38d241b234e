import type { ServerResponse } from 'node:http';
import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  ProtocolErrorCode,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { type JsonRpcId, sendFault } from './faults.ts';
import type { Asked, Questions } from './questions.ts';
import { writtenTools } from './tool-list.ts';

export type ExchangeOptions = {
  classification: MessageClassification;
  request: JSONRPCRequest;
  res: ServerResponse;
  /** What the client's `Accept` allows; `json` alone cannot carry questions or progress. */
  accepts: Accepts;
  headers?: Record<string, string>;
  /** Where to ask the client on this very exchange; absent where it cannot answer. */
  ask?: { questions: Questions; asked: Asked };
};

export type Accepts = { json: boolean; sse: boolean };

/** Everything but a client that names one of the two alone gets both. */
export function readAccept(accept: string | undefined): Accepts {
  const json = accept === undefined || /application\/(json|\*)|\*\/\*/i.test(accept);
  const sse = accept === undefined || /text\/(event-stream|\*)|\*\/\*/i.test(accept);
  return json || sse ? { json, sse } : { json: true, sse: true };
}

const keepAliveMs = 15_000;

/**
 * One request and its answer, written straight to the Node response: one JSON document, or an event stream once there is
 * more to say than the answer. It is the SDK's own transport for one request, which binds a server to the revision that
 * the request was classified as, without the detour over web `Request` and `Response` (about four fifths of a call).
 */
export class Exchange extends PerRequestHTTPServerTransport {
  readonly #options: ExchangeOptions;
  /** Ids of questions as the server counts them → as the client sees them. */
  readonly #asked = new Map<JsonRpcId, string>();
  #streaming = false;
  #done = false;
  #answered = false;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(options: ExchangeOptions) {
    super({ classification: options.classification });
    this.#options = options;
    options.res.once('close', () => void this.close());
  }

  /** Hands the request to the connected server. */
  serve(): void {
    const { classification, request, res } = this.#options;
    if (res.destroyed) void this.close();
    // The SDK's dispatch leaves the 2025 revisions unclassified.
    else this.onmessage?.(request, classification.era === 'modern' ? { classification } : {});
    if (!this.#options.accepts.json) this.#stream();
  }

  /** The client wants no answer any more: the server stops, withdraws what it asked, and the response ends. */
  cancel(notification: JSONRPCNotification): void {
    this.onmessage?.(notification);
    setImmediate(() => {
      if (!this.#options.res.headersSent) this.#options.res.writeHead(202).end();
      void this.close();
    });
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#done) return;
    const { id } = this.#options.request;
    if (!('method' in message)) {
      if (message.id === id) this.#finish(message);
    } else if (options?.relatedRequestId === id) {
      this.#event('id' in message ? this.#question(message) : this.#renamed(message));
    }
  }

  override async close(): Promise<void> {
    this.#done = true;
    clearInterval(this.#keepAlive);
    for (const id of this.#asked.values()) this.#options.ask?.questions.close(id);
    this.#asked.clear();
    const { res } = this.#options;
    if (!res.headersSent) res.destroy();
    else if (!res.writableEnded) res.end();
    // An answered server has nothing left to stop, and goes as it is.
    if (!this.#answered) await super.close();
  }

  #finish(message: JSONRPCMessage & { id?: JsonRpcId }): void {
    const { res, headers, request } = this.#options;
    this.#done = true;
    this.#answered = true;
    clearInterval(this.#keepAlive);
    if (this.#streaming) res.end(frame(write(message).toString()));
    else if ('error' in message && message.error.code === ProtocolErrorCode.MissingRequiredClientCapability) {
      sendFault(res, 400, message.error, request.id);
    } else {
      const body = write(message);
      res.writeHead(200, { ...headers, 'content-type': 'application/json', 'content-length': body.length });
      res.end(body);
    }
  }

  /** A question goes out under an id that any replica can bring the answer home by. */
  #question(message: JSONRPCRequest): JSONRPCMessage {
    const { ask } = this.#options;
    if (ask === undefined) throw new Error('the client cannot be asked on this request');
    const id = ask.questions.open(ask.asked, (answer) => {
      this.#asked.delete(message.id);
      this.onmessage?.({ ...answer, id: message.id } as JSONRPCMessage);
    });
    this.#asked.set(message.id, id);
    return { ...message, id };
  }

  /** A cancellation names the question by the id that the client knows. */
  #renamed(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return message;
    const own = message.params?.requestId as JsonRpcId;
    const id = this.#asked.get(own);
    if (id === undefined) return message;
    this.#asked.delete(own);
    this.#options.ask?.questions.close(id);
    return { ...message, params: { ...message.params, requestId: id } };
  }

  #event(message: JSONRPCMessage): void {
    if (!this.#options.accepts.sse) return;
    this.#stream();
    this.#options.res.write(frame(JSON.stringify(message)));
  }

  #stream(): void {
    if (this.#streaming || this.#done) return;
    this.#streaming = true;
    this.#options.res.writeHead(200, {
      ...this.#options.headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    this.#options.res.flushHeaders();
    this.#keepAlive = setInterval(() => this.#options.res.write(': keepalive\n\n'), keepAliveMs);
    this.#keepAlive.unref();
  }
}

function frame(data: string): string {
  return `event: message\ndata: ${data}\n\n`;
}

/** A list of tools is written out once for all who see the same; it is most of what there is to serialise. */
function write(message: JSONRPCMessage): Buffer {
  const result = 'result' in message ? (message.result as Record<string, unknown>) : undefined;
  const tools = writtenTools(result?.tools);
  if (result === undefined || tools === undefined) return Buffer.from(JSON.stringify(message));
  const { tools: _, ...rest } = result;
  const others = JSON.stringify(rest).slice(1);
  const id = JSON.stringify((message as { id: JsonRpcId }).id);
  return Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"tools":`),
    tools,
    Buffer.from(`${others === '}' ? '' : ','}${others}}`),
  ]);
}
