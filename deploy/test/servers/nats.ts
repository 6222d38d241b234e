import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureProgram } from './programs.ts';
import { freePort, launch, type Place, type TestServer, temporaryFolder } from './server-process.ts';

/** A NATS server of its own with JetStream; `config` is the text of a configuration file, users and permissions, say. */
export async function startNats(options: Place & { config?: string } = {}): Promise<TestServer> {
  const program = await ensureProgram('nats-server');
  const folder = options.folder ?? (await temporaryFolder('nats'));
  const port = options.port ?? (await freePort());
  const monitor = await freePort();
  const args = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitor), '-js', '-sd', join(folder, 'jetstream')];
  if (options.config !== undefined) {
    const file = join(folder, 'nats.conf');
    await writeFile(file, options.config);
    args.push('-c', file);
  }
  return launch({
    program,
    args,
    url: `nats://127.0.0.1:${port}`,
    port,
    folder,
    keepFolder: options.folder !== undefined,
    stopSignal: 'SIGTERM',
    async probe() {
      const response = await fetch(`http://127.0.0.1:${monitor}/healthz`, { signal: AbortSignal.timeout(2_000) });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`healthz answered ${response.status}`);
    },
  });
}
