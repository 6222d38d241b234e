import { connect, type Era, type Person as Reader, type TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { type Database, openDatabase } from '@cloudhal/shared/database';
import { type Deployment, type DeploymentOptions, startDeployment } from './deployment.ts';
import { firstOwner, type Person } from './people.ts';

export type Site = { id: string; slug: string };
export type Agent = TestClient & { keyId: string; secret: string };

type Hire = {
  /** What its key may do; all of it in mode `edits` where nothing is said. */
  key?: object;
  era?: Era;
  /** Answers what the agent's client is asked; without one it cannot be asked. */
  person?: Reader;
  /** Another address than that of the whole deployment. */
  url?: string;
};

/** A deployment as an organisation has it: an owner, a site, and agents that work on it. */
export type Newsroom = {
  deployment: Deployment;
  owner: Person;
  /** As the superuser. */
  database: Database;
  site: Site;
  makeSite(slug: string, locales?: string[]): Promise<Site>;
  hire(options?: Hire): Promise<Agent>;
  /** Another client of an agent, with the same key. */
  connectAs(agent: Pick<Agent, 'secret'>, options?: Omit<Hire, 'key'>): Promise<TestClient>;
  stop(): Promise<void>;
};

/** More than these tests use up. */
const unlimited = { CLOUDHAL_RATE_PER_MINUTE: '100000', CLOUDHAL_RATE_BURST: '10000' };

export async function openNewsroom({ env = {}, ...options }: DeploymentOptions = {}): Promise<Newsroom> {
  const deployment = await startDeployment({ ...options, env: { ...unlimited, ...env } });
  const clients: TestClient[] = [];
  const database = openDatabase({ url: deployment.databaseUrl, name: 'test' });
  const stop = async () => {
    await Promise.allSettled(clients.map((client) => client.close()));
    await database.close();
    await deployment.stop();
  };
  try {
    const owner = await firstOwner(deployment.url, deployment.deploymentToken);

    async function makeSite(slug: string, locales?: string[]): Promise<Site> {
      const { status, body } = await owner.send('/api/sites', {
        method: 'POST',
        body: { slug, title: `About ${slug}`, ...(locales && { locales }) },
      });
      if (status !== 201) throw new Error(`making a site answered ${status}: ${JSON.stringify(body)}`);
      return (body.site ?? body) as Site;
    }

    async function connectAs({ secret }: Pick<Agent, 'secret'>, hire: Omit<Hire, 'key'> = {}): Promise<TestClient> {
      const { era = '2026-07-28', person, url = deployment.url } = hire;
      const client = await connect(`${url}/mcp`, era, { as: secret, ...(person && { person }) });
      clients.push(client);
      return client;
    }

    return {
      deployment,
      owner,
      database,
      site: await makeSite('news'),
      makeSite,
      async hire({ key = {}, ...rest } = {}) {
        const { id, secret } = await owner.createKey({ name: 'agent', scopes: '*', mode: 'edits', ...key });
        return { ...(await connectAs({ secret }, rest)), keyId: id, secret };
      },
      connectAs,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The person of a client who agrees to everything. */
export const agreeing: Reader = () => ({ action: 'accept', content: { confirm: true } });
