import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Balancer = { url: string; stop(): Promise<void> };

/** Sends each request to the next port, over a TCP connection of its own; a refused connection goes to the one after. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => send(Buffer.concat(chunks), ports.length));

    function send(body: Buffer, tries: number): void {
      const port = ports[next++ % ports.length];
      const upstream = request(
        {
          host: '127.0.0.1',
          port,
          method: incoming.method,
          path: incoming.url,
          headers: { ...incoming.headers, connection: 'close' },
          agent: false,
        },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        },
      );
      upstream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && tries > 1) return send(body, tries - 1);
        if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(502).end();
      });
      outgoing.on('close', () => upstream.destroy());
      upstream.end(body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
