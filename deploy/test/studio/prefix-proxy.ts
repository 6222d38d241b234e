import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../servers/server-process.ts';

/** A proxy as organisations have them: what is below `prefix` goes to the gateway without it, and all else is not found. */
export async function startPrefixProxy(prefix: string) {
  const port = await freePort();
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return outgoing.writeHead(404).end();
    const passed = request(
      {
        host: '127.0.0.1',
        port,
        method: incoming.method,
        path: path.slice(prefix.length) || '/',
        headers: incoming.headers,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    /** Where the gateway has to listen. */
    target: async () => port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
