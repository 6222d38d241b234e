import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Proxy = { url: string; to(target: { url: string; key: string }): void; stop(): Promise<void> };

/**
 * The suite sends no credentials: this adds the key, and leaves everything else as it came, `Host` and `Origin` too, so
 * that the edge behind it is what is judged. It has an address before the edge does, which has to know it as its own.
 */
export async function startProxy(): Promise<Proxy> {
  let target: { url: string; key: string } | undefined;
  const server = createServer((incoming, outgoing) => {
    if (target === undefined) return void outgoing.writeHead(503).end();
    const { method, url = '/', headers } = incoming;
    const { hostname, port } = new URL(target.url);
    const forwarded = request(
      { hostname, port, method, path: url, headers: { ...headers, authorization: `Bearer ${target.key}` } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    to(next) {
      target = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
