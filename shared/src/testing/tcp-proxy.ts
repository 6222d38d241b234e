import { connect, createServer, type Socket } from 'node:net';

/** `down` is what the server sends to the client. A blackhole keeps the connection and loses the bytes. */
export type ProxyMode = 'pass' | 'refuse' | 'blackhole' | 'blackhole-down';

export type TcpProxy = {
  port: number;
  /** The URL of the target with the proxy's address in it. */
  url: string;
  mode: ProxyMode;
  /** Bytes take this long in either direction. */
  delayMs: number;
  /** What reaches the server instead of what the client sent. */
  rewrite: ((bytes: Buffer) => Buffer) | undefined;
  /** Breaks every connection that is open now. */
  cut(): void;
  close(): Promise<void>;
};

/** Stands between a client and a server and is a bad network on demand. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (proxy.mode === 'refuse') return client.destroy();
    const upstream = connect(Number(url.port), url.hostname);
    keep(upstream);
    pipe(
      client,
      upstream,
      (mode) => mode !== 'blackhole',
      (bytes) => proxy.rewrite?.(bytes) ?? bytes,
    );
    pipe(upstream, client, (mode) => mode === 'pass');
  });

  function pipe(
    from: Socket,
    to: Socket,
    passes: (mode: ProxyMode) => boolean,
    change = (bytes: Buffer): Buffer => bytes,
  ): void {
    from.on('data', (sent: Buffer) => {
      if (!passes(proxy.mode)) return;
      const bytes = change(sent);
      if (proxy.delayMs === 0) to.write(bytes);
      else setTimeout(() => to.writable && to.write(bytes), proxy.delayMs);
    });
    from.on('close', () => proxy.mode === 'pass' && to.destroy());
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const through = new URL(target);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  const proxy: TcpProxy = {
    port,
    url: through.href,
    mode: 'pass',
    delayMs: 0,
    rewrite: undefined,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    close() {
      proxy.cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}
