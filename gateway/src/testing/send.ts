import { type IncomingHttpHeaders, request } from 'node:http';

export type Sent = {
  method?: string;
  /** A list sends the header more than once. */
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
};

export type Received = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is the test's to say
  json: any;
};

/** One request as it is written here: unlike `fetch`, it adds no header and refuses none. */
export function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = request(url, { method, headers: { ...length, ...headers }, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode = 0, headers: received } = incoming;
        resolve({ status: statusCode, headers: received, text, json: parse(text) });
      });
    });
    outgoing.setTimeout(20_000, () => outgoing.destroy(new Error(`No answer from ${url}`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
