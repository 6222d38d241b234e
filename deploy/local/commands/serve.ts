import { CommandError } from '../command-error.ts';

const mains: Record<string, () => Promise<unknown>> = {
  gateway: () => import('@cloudhal/gateway/main'),
  policy: () => import('@cloudhal/policy-service/main'),
  tools: () => import('@cloudhal/tool-service/main'),
  audit: () => import('@cloudhal/audit-service/main'),
  skills: () => import('@cloudhal/skills-service/main'),
};

/** Runs one service as its container does. */
export async function serve(service: string): Promise<void> {
  const main = mains[service];
  if (main === undefined) throw new CommandError(`There is no service ${service}.`, { exitCode: 2 });
  await main();
}
