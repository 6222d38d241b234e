import { setTimeout as sleep } from 'node:timers/promises';
import { type Deployment, startDeployment } from '../test/deployment.ts';
import { firstOwner, type Person } from '../test/people.ts';
import { type Document, realDocuments } from '../test/real-documents.ts';
import { callOnce, type Subject } from './harness.ts';
import { resultOf, type ToolAnswer, toolCall } from './mcp.ts';
import { hasProc, residentMegabytes } from './processes.ts';

/** A deployment with a site of real documents, and a key that may do everything. */
export type World = {
  /** One process of each service; the second of tool-service is not running. */
  deployment: Deployment;
  key: string;
  owner: Person;
  site: string;
  entries: Entry[];
  /** Megabytes of each service before its first call. */
  idle: Record<string, number>;
  /** The processes that a governed call takes. */
  pids(): number[];
  /** The same and those that take its record in: Redis and audit-service. */
  allPids(): number[];
  /** Another site, without entries; its id. */
  addSite(slug: string): Promise<string>;
  /** One call with the key; throws where it did not do what it was asked. */
  call(tool: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  stop(): Promise<void>;
};
export type Entry = Document & { id: string; rev: number };

/** More calls than any load here comes to. */
const env = { CLOUDHAL_RATE_PER_MINUTE: '1000000', CLOUDHAL_RATE_BURST: '1000000', CLOUDHAL_LOG_LEVEL: 'warn' };

export async function startWorld(documents: number): Promise<World> {
  const deployment = await startDeployment({ replicas: { tools: 2 }, env });
  try {
    await deployment.services.tools[1]!.kill('SIGTERM');
    await sleep(1_000);
    const idle = hasProc ? await megabytes(deployment) : {};
    const { key, owner, site, addSite, call } = await prepareSites(deployment);
    const entries: Entry[] = [];
    for (const document of await realDocuments(documents)) {
      const { slug, frontmatter: fields, body } = document;
      const { data, rev } = await call('create_entry', { site, type: 'article', slug, fields, body });
      entries.push({ ...document, id: data.id as string, rev: rev! });
    }
    const { services, nats, postgres, redis } = deployment;
    const of = (...names: (keyof typeof services)[]) => names.flatMap((name) => services[name].map(({ pid }) => pid()));
    const pids = () => [...of('gateway', 'policy', 'tools'), nats.pid, postgres.pid];
    const allPids = () => [...pids(), ...of('audit'), redis.pid];
    return { deployment, key, owner, site, entries, idle, pids, allPids, addSite, call, stop: deployment.stop };
  } catch (error) {
    await deployment.stop();
    throw error;
  }
}

async function prepareSites(
  deployment: Deployment,
): Promise<Pick<World, 'key' | 'owner' | 'site' | 'addSite' | 'call'>> {
  const owner = await firstOwner(deployment.url, deployment.deploymentToken);
  const addSite = async (slug: string) => {
    const { status, body } = await owner.send('/api/sites', { method: 'POST', body: { slug, title: slug } });
    if (status !== 201) throw new Error(`making a site answered ${status}: ${JSON.stringify(body)}`);
    return (body.site as { id: string }).id;
  };
  const site = await addSite('news');
  const { secret: key } = await owner.createKey({ name: 'bench', scopes: '*', mode: 'edits' });
  const url = `${deployment.gatewayUrls[0]}/mcp`;
  const call: World['call'] = async (tool, args) =>
    resultOf(await callOnce({ url, call: () => toolCall(tool, args, key) }));
  return { key, owner, site, addSite, call };
}

/** What the first process of each service has in memory. */
export async function megabytes({ services }: Pick<Deployment, 'services'>): Promise<Record<string, number>> {
  const first = Object.values(services).map(([service]) => service!);
  return Object.fromEntries(
    await Promise.all(first.map(async ({ name, pid }) => [name, await residentMegabytes(pid())] as const)),
  );
}

/** Calls of a deployment's first gateway, as a subject. */
export function governed(world: World, subject: Pick<Subject, 'call' | 'check'>): Subject {
  return { ...subject, url: `${world.deployment.gatewayUrls[0]}/mcp`, pids: world.pids };
}
