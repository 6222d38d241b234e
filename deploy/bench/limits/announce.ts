import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves on a free loopback port, which the parent is told; ends with the parent. */
export function serve(listener: RequestListener): void {
  const server = createServer(listener);
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port }));
}

export function announce(ready: { port?: number }): void {
  process.once('disconnect', () => process.exit());
  process.send?.(ready);
}
