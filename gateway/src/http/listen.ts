import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trackInFlight } from './drain.ts';

export type Listener = {
  port: number;
  /** From now on requests are answered; before, they are told to come again. */
  serve(app: RequestListener): void;
  /** Takes no new requests, and waits for those in flight. */
  drain(atMostMs: number): Promise<void>;
  /** Cuts what is left. */
  close(): Promise<void>;
};

export type ListenOptions = {
  host: string;
  port: number;
  /** Take any free port where this one is taken. */
  orAnother?: boolean;
};

/** Listens before anything is served: the port has to be known to make links. */
export async function listen({ host, port, orAnother = false }: ListenOptions): Promise<Listener> {
  let app: RequestListener = (_request, response) => {
    response.writeHead(503, { 'Retry-After': '1', Connection: 'close' }).end();
  };
  const server = createServer((request, response) => app(request, response));
  server.headersTimeout = 15_000;
  server.requestTimeout = 60_000;
  // Longer than a load balancer keeps its connections, which must be the one that closes them.
  server.keepAliveTimeout = 75_000;
  const inFlight = trackInFlight(server);
  try {
    await bind(server, host, port);
  } catch (error) {
    if (!orAnother || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await bind(server, host, 0);
  }
  let closed: Promise<void> | undefined;
  const stopListening = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
  };

  return {
    port: (server.address() as AddressInfo).port,
    serve: (serving) => {
      app = serving;
    },
    async drain(atMostMs) {
      stopListening();
      await inFlight.drained(atMostMs);
    },
    async close() {
      stopListening();
      server.closeAllConnections();
      await closed;
    },
  };
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
