import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { start as startAudit } from '@cloudhal/audit-service/service';
import { outsideSettings } from '@cloudhal/gateway/outside-settings';
import { limitsFor, pageLimit } from '@cloudhal/gateway/rate-limit';
import { type Gateway, type LocalAgent, start as startGateway } from '@cloudhal/gateway/service';
import { start as startPolicy } from '@cloudhal/policy-service/service';
import type { BlobStore } from '@cloudhal/shared/blobs/blob-store';
import { openBlobs } from '@cloudhal/shared/blobs/open-blobs';
import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { checkFiles, readConfig } from '@cloudhal/shared/config';
import { createSite, sites } from '@cloudhal/shared/contracts';
import { type Database, openDatabase } from '@cloudhal/shared/database';
import { CloudhalError } from '@cloudhal/shared/errors';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { createLog } from '@cloudhal/shared/log';
import { serviceRoles } from '@cloudhal/shared/migrate';
import type { Scopes } from '@cloudhal/shared/policy';
import { loadSecret, loadSigner, loadVerifier } from '@cloudhal/shared/secrets';
import { pools } from '@cloudhal/shared/tool';
import { start as startSkills } from '@cloudhal/skills-service/service';
import { browserSettings } from '@cloudhal/tool-service/browser/browser-settings';
import { start as startTools } from '@cloudhal/tool-service/service';
import { exampleCalls, exampleSite } from './example-site.ts';
import { migrateAll } from './migrate-all.ts';
import { checkpointKeys, makeSecrets, readSecretFile } from './secret-files.ts';
import { openStore } from './store.ts';
import { version } from './version.ts';

export type HouseOptions = {
  /** Serve HTTP here; where the port is taken another is. Absent: nothing listens. */
  listen?: { port: number };
  /** Where preview links point when this process does not listen. */
  previewUrl?: string;
  /** A folder of skills beside the built-in ones. */
  skills?: string;
  /** Requests from this machine act as the owner. */
  noAuth?: boolean;
  onProgress?: (line: string) => void;
};

type RestoredSite = { slug: string; title: string; locales: string[] };

/** All five services in this process, on the store of a data folder. */
export type House = Pick<
  Gateway,
  'url' | 'serveStdio' | 'callTool' | 'createAgentKey' | 'listAgentKeys' | 'revokeAgentKey'
> & {
  /** As the role that owns the store; for commands that read the record. */
  database: Database;
  /** The files of assets; for commands that take sites out and in. */
  blobs: BlobStore;
  sites(): Promise<{ id: string; slug: string; title: string }[]>;
  /** A site under the id that it had elsewhere, with nothing in it. */
  restoreSite(id: string, site: RestoredSite): Promise<void>;
  /** `undefined` where somebody is the owner already. */
  firstOwnerLink(): Promise<string | undefined>;
  /** Writes the example site where there is no site yet. */
  seedExampleSite(): Promise<void>;
  stop: Stop;
};

/** Opens the store, brings it to this version, and starts everything. What is started is stopped in reverse, also on failure. */
export async function openHouse(folder: string, options: HouseOptions = {}): Promise<House> {
  const config = readConfig('local');
  checkFiles('local', config);
  const stops: Stop[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    const secrets = join(folder, 'secrets');
    makeSecrets(secrets);
    const store = await openStore(folder, config.databaseUrl, options.onProgress);
    stops.push(() => store.stop());
    const open = (role: string, url: string, max: number) => {
      const database = openDatabase({ url, name: `cloudhal-${role}`, max });
      stops.push(() => database.close());
      return database;
    };

    const owner = open('owner', store.url, 2);
    await migrateAll(owner);
    await store.allowLogin(...Object.values(serviceRoles));
    const as = (schema: keyof typeof serviceRoles) => store.urlFor(serviceRoles[schema]);
    const log = (service: string) =>
      createLog(service, {
        destination: process.stderr,
        level: process.env.CLOUDHAL_LOG_LEVEL ? config.logLevel : 'warn',
      });

    const gatewayDatabase = open('gateway', as('gateway'), 5);
    const bus = createInProcessBus({ database: gatewayDatabase, log: log('bus') });
    stops.push(() => bus.close());
    const keyValue = await createPostgresKeyValue(gatewayDatabase);
    const principalKey = loadSigner(join(secrets, 'principal-key.json'));
    const permitKey = loadSigner(join(secrets, 'permit-key.json'));
    const principals = new Map([[principalKey.kid, createPublicKey(principalKey.privateKey)]]);
    const permits = new Map([[permitKey.kid, createPublicKey(permitKey.privateKey)]]);
    const kek = loadSecret(join(secrets, 'kek'));

    stops.push(
      await startSkills({
        bus,
        log: log('skills'),
        folders: [config.skillsDir, options.skills].filter((path) => path !== undefined),
      }),
    );
    stops.push(
      await startAudit({
        bus,
        database: open('audit', as('audit'), 3),
        log: log('audit'),
        principals,
        permits,
        checkpointKey: loadSigner(join(secrets, 'checkpoint-key.json')).privateKey,
        checkpointKeys: loadVerifier(join(secrets, checkpointKeys)),
        checkpointDir: join(folder, 'checkpoints'),
      }),
    );
    // Before the tools: they make links to where it listens.
    const gateway = await startGateway({
      bus,
      keyValue,
      database: gatewayDatabase,
      blobs: await openBlobs(config, gatewayDatabase),
      databaseUrl: as('gateway'),
      log: log('gateway'),
      signer: principalKey,
      secrets: {
        peppers: [loadSecret(join(secrets, 'key-pepper'))],
        session: loadSecret(join(secrets, 'session-secret')),
        deploymentToken: readSecretFile(secrets, 'deployment-token'),
        kek,
      },
      settings: {
        version,
        noAuth: options.noAuth ?? false,
        limits: {
          ...limitsFor({ perMinute: config.ratePerMinute, burst: config.rateBurst }),
          page: pageLimit(config.pageRatePerMinute),
        },
        allowedHosts: config.allowedHosts,
        allowedOrigins: config.allowedOrigins,
        ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
        ...(options.listen && { listen: { host: config.host, ...options.listen } }),
        ...outsideSettings(config),
        drainMs: 5_000,
      },
    });
    const toolsDatabase = open('tools', as('tools'), 8);
    const blobs = await openBlobs(config, toolsDatabase);
    stops.push(
      await startTools({
        bus,
        keyValue,
        database: toolsDatabase,
        blobs,
        log: log('tools'),
        verifier: permits,
        settings: {
          pools,
          recordReads: 'outbox',
          publicUrl: options.previewUrl ?? gateway.url,
          browser: browserSettings(config),
          fetchAllow: config.fetchAllow,
          mediaMaxBytes: config.mediaMaxBytes,
          ...(config.slots !== undefined && { slots: config.slots }),
        },
      }),
    );
    stops.push(
      await startPolicy({
        bus,
        keyValue,
        database: open('policy', as('policy'), 5),
        log: log('policy'),
        signer: permitKey,
        permits,
        principals,
        kek,
        settings: { personAttested: config.personAttested, confirmTokenFallback: config.confirmTokenFallback },
      }),
    );
    stops.push(gateway.stop);
    return makeHouse(gateway, bus, { database: owner, blobs }, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Opens the house for one piece of work. */
export async function withHouse<T>(folder: string, work: (house: House) => Promise<T>): Promise<T> {
  const house = await openHouse(folder);
  try {
    return await work(house);
  } finally {
    await house.stop();
  }
}

const developer = { id: 'local', name: 'local developer' };
const everything: { mode: 'bypass'; scopes: Scopes } = { mode: 'bypass', scopes: '*' };

function makeHouse(gateway: Gateway, bus: Bus, store: Pick<House, 'database' | 'blobs'>, stop: Stop): House {
  const listSites = async () => (await bus.request(sites, {}, { timeoutMs: 10_000 })).sites;
  return {
    url: gateway.url,
    serveStdio: (agent: LocalAgent) => gateway.serveStdio(agent),
    callTool: gateway.callTool,
    createAgentKey: gateway.createAgentKey,
    listAgentKeys: gateway.listAgentKeys,
    revokeAgentKey: gateway.revokeAgentKey,
    ...store,
    sites: listSites,
    async restoreSite(id, site) {
      await bus.request(createSite, { site, actor: developer, restoredAs: id }, { timeoutMs: 10_000 });
    },
    firstOwnerLink: () => gateway.createFirstOwnerLink(),
    async seedExampleSite() {
      if ((await listSites()).length > 0) return;
      const site = await bus
        .request(createSite, { site: exampleSite, actor: developer }, { timeoutMs: 10_000 })
        .catch((error: unknown) => {
          if (!(error instanceof CloudhalError) || error.code !== 'slug_taken') throw error;
        });
      // Another process on this folder came first, and writes it.
      if (!site) return;
      const made: string[] = [];
      for (const { tool, arguments: args } of exampleCalls) {
        const { data } = await gateway.callTool(everything, tool, { site: site.id, ...args });
        made.push((data as { id: string }).id);
      }
      const { rev } = (await gateway.callTool(everything, 'get_site', { site: site.id })).data as { rev: number };
      await gateway.callTool(everything, 'update_site', {
        site: site.id,
        rev,
        set: { homePage: made[0], comments: 'open' },
      });
      const plan = await gateway.callTool(everything, 'get_publish_plan', { site: site.id, what: { all: true } });
      const { expectDraft } = plan.data as { expectDraft: string };
      await gateway.callTool(everything, 'publish', { site: site.id, what: { all: true }, expectDraft });
    },
    stop,
  };
}
