import { once } from 'node:events';
import { connect } from 'node:net';
import { ensureProgram } from './programs.ts';
import { freePort, launch, type Place, type TestServer, temporaryFolder } from './server-process.ts';

/** A Redis of its own that keeps nothing on disk. */
export async function startRedis(options: Place = {}): Promise<TestServer> {
  const program = await ensureProgram('redis-server');
  const folder = options.folder ?? (await temporaryFolder('redis'));
  const port = options.port ?? (await freePort());
  return launch({
    program,
    args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    keepFolder: options.folder !== undefined,
    stopSignal: 'SIGTERM',
    probe: () => ping(port),
  });
}

async function ping(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')));
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data');
    if (!String(answer).startsWith('+PONG')) throw new Error(`answered ${answer}`);
  } finally {
    socket.destroy();
  }
}
