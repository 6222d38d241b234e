import { execFile } from 'node:child_process';
import { access, chmod, chown } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ensureProgram } from './programs.ts';
import { freePort, launch, type Place, type TestServer, temporaryFolder } from './server-process.ts';

const run = promisify(execFile);

/** A PostgreSQL of its own; `fsync` on where a test is about what survives. */
export async function startPostgres(options: Place & { fsync?: boolean } = {}): Promise<TestServer> {
  const program = await ensureProgram('postgres');
  const runAs = await chooseUser();
  const folder = options.folder ?? (await temporaryFolder('postgres'));
  const data = join(folder, 'data');
  if (!(await exists(join(data, 'PG_VERSION')))) {
    if (runAs) await chown(folder, runAs.uid, runAs.gid);
    const locale = process.platform === 'linux' ? '--locale=C.UTF-8' : '--no-locale';
    const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', locale, '--no-sync', '--no-instructions'];
    await run(join(dirname(program), 'initdb'), args, { cwd: folder, ...runAs });
    await chmod(data, 0o700);
  }
  const port = options.port ?? (await freePort());
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    fsync: options.fsync ? 'on' : 'off',
    full_page_writes: options.fsync ? 'on' : 'off',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return launch({
    program,
    args: ['-D', data, '-p', String(port), ...flags],
    ...runAs,
    url,
    port,
    folder,
    keepFolder: options.folder !== undefined,
    stopSignal: 'SIGINT',
    probe: () => connectOnce(url),
  });
}

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}

/** PostgreSQL refuses to run as root; Debian's package made a user for it. */
async function chooseUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string, fallback: number) =>
    run('id', [flag, 'postgres']).then(
      ({ stdout }) => Number(stdout),
      () => fallback,
    );
  return { uid: await id('-u', 65534), gid: await id('-g', 65534) };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
