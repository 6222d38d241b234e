import { downAll, execCompose, type IDockerComposeOptions, port, upMany } from 'docker-compose';

export type ComposeServices = { ports: Record<string, number>; stop(): Promise<void> };

/** Docker with its compose plugin is there and its engine answers. */
export async function hasCompose(): Promise<boolean> {
  return execCompose('ls', [], { cwd: import.meta.dirname }).then(
    () => true,
    () => false,
  );
}

/** Starts some of the services of `compose.yaml` on free loopback ports. */
export async function startCompose(services: string[]): Promise<ComposeServices> {
  const options: IDockerComposeOptions = {
    cwd: import.meta.dirname,
    composeOptions: ['--project-name', `cloudhal-test-${process.pid}`],
  };
  const stop = async () => {
    await downAll({ ...options, commandOptions: ['--volumes', '--timeout', '5'] });
  };
  try {
    await upMany(services, { ...options, commandOptions: ['--wait'] });
    const inside: Record<string, number> = { postgres: 5432, nats: 4222, redis: 6379 };
    const ports = await Promise.all(
      services.map(
        async (service) => [service, (await port(service, inside[service] ?? 0, options)).data.port] as const,
      ),
    );
    return { ports: Object.fromEntries(ports), stop };
  } catch (error) {
    await stop().catch(() => undefined);
    const reason = error instanceof Error ? error.message : (error as { err?: string }).err;
    throw new Error(`docker compose could not start ${services.join(', ')}: ${reason}`);
  }
}
