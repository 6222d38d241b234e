import type { BlobStore } from '@cloudhal/shared/blobs/blob-store';
import { createPostgresBlobs } from '@cloudhal/shared/blobs/postgres-blobs';
import { type Bus, BusError, type Stop } from '@cloudhal/shared/bus/bus';
import * as contracts from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { fail, toErrorBody } from '@cloudhal/shared/errors';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import { histogram } from '@cloudhal/shared/metrics';
import { startOutboxRelay } from '@cloudhal/shared/outbox';
import type { Verifier } from '@cloudhal/shared/permit';
import type { Pool } from '@cloudhal/shared/tool';
import { startLinkChecks } from './analytics/check-links.ts';
import { takeHits } from './analytics/take-hits.ts';
import { assessCall } from './assess.ts';
import type { BrowserSettings } from './browser/browsers.ts';
import { createInspector } from './browser/inspect.ts';
import { type BacklogLimits, watchBacklog } from './calls/backlog.ts';
import { createRecordRead } from './calls/record-reads.ts';
import { resolveCall } from './calls/resolve.ts';
import { createRevocations } from './calls/revocations.ts';
import { startSweeper } from './calls/sweeper.ts';
import type { Capabilities, Judgement } from './capabilities.ts';
import { catalogueOf } from './catalog.ts';
import { startClock } from './clock.ts';
import type { Tool } from './define-tool.ts';
import { createGuardedFetch } from './fetch/guarded-fetch.ts';
import { createSite } from './graph/create-site.ts';
import { createMediaStore } from './media/media-store.ts';
import { startMediaSweeper } from './media/media-sweeper.ts';
import { startScheduler } from './releases/scheduler.ts';
import { type RunDeps, runTool } from './run-tool.ts';
import { serveFeed } from './site/feeds.ts';
import { createPreviews } from './site/previews.ts';
import { countRedirectHits, type RedirectHits } from './site/redirect-hits.ts';
import { previewMedia, siteMedia } from './site/site-media.ts';
import { serveComment, servePage, servePreview } from './site/site-page.ts';
import { tools as publicTools } from './tools/index.ts';
import { localTools } from './tools/local/index.ts';

export type Settings = {
  /** The pools of tools that this worker serves. */
  pools: readonly Pool[];
  /** How many calls it runs at once in each pool. */
  slots?: number;
  /** Where reads are recorded first: on the stream, or in the outbox where the bus keeps nothing. */
  recordReads: 'stream' | 'outbox';
  /** Where people open previews. */
  publicUrl: string;
  /** Internal `address:port`s that tools may fetch from; none when absent. */
  fetchAllow?: readonly string[];
  /** Whether this worker looks at links to other sites now and then; it needs a way out. */
  checkLinks?: boolean;
  /** The browser that pages are checked in. */
  browser: BrowserSettings;
  /** The prefix of the gateway's inboxes. */
  answerPrefix?: string;
  /** Bytes that one file of a site may have; 25 MiB when absent. */
  mediaMaxBytes?: number;
  sweepEveryMs?: number;
  sweepGraceMs?: number;
  /** How often it looks for releases whose time has come. */
  scheduleEveryMs?: number;
  backlog?: BacklogLimits;
};

export type Deps = {
  bus: Bus;
  database: Database;
  keyValue: KeyValue;
  /** Where files are kept; in the database when absent. */
  blobs?: BlobStore;
  /** Public keys of policy-service. */
  verifier: Verifier;
  log: Log;
  settings: Settings;
  /** The tool table; all of it when absent. */
  tools?: readonly Tool[];
  /** Moments of a change at which tests stop or end a worker. */
  at?: RunDeps['at'];
};

const allTools = [...publicTools, ...localTools];
const siteRulesMs = 2_000;
/** It computes what the publish would do. */
const judgeMs = 7_000;

/** Serves the tools, the sites and the truth about calls, until it is stopped. */
export async function start(deps: Deps): Promise<Stop> {
  const { bus, database, log, settings, tools = allTools, blobs = createPostgresBlobs(deps.database) } = deps;
  const clock = await startClock(database, log);
  const backlog = await watchBacklog(database, log, settings.backlog);
  const relay = await startOutboxRelay({ database, schema: 'tools', bus, log });
  const ended = (callId: string, approvalId: string | undefined, state = 'aborted') => {
    relay.wake();
    if (approvalId !== undefined) bus.publish(contracts.events.callEnded, { callId, approvalId, state });
  };
  const { sweepEveryMs: everyMs, sweepGraceMs: graceMs, scheduleEveryMs } = settings;
  const stopSweeper = startSweeper({
    database,
    log,
    ended,
    ...(everyMs !== undefined && { everyMs }),
    ...(graceMs !== undefined && { graceMs }),
  });
  const inspector = createInspector(settings.browser, log);
  const stopMediaSweeper = settings.pools.includes('media') ? startMediaSweeper({ database, blobs, log }) : undefined;
  const run: RunDeps = {
    tools: new Map(tools.map((tool) => [tool.facts.name, tool])),
    verifier: deps.verifier,
    answerPrefix: settings.answerPrefix ?? '_INBOX_gateway.',
    now: clock.now,
    database,
    bus,
    log,
    can: { ...capabilities(deps, blobs), inspect: inspector.inspect, assess: (call) => assessCall(run, call) },
    revocations: createRevocations(deps.keyValue),
    recordRead: createRecordRead({ bus, database, first: settings.recordReads }),
    backlog,
    ...(deps.at && { at: deps.at }),
  };
  const catalogue = catalogueOf(tools);
  const stopScheduler = startScheduler(run, scheduleEveryMs === undefined ? {} : { everyMs: scheduleEveryMs });
  const hits = countRedirectHits(database, log);
  const stopChecks = settings.checkLinks
    ? startLinkChecks({ database, log, fetch: run.can.fetch })
    : async () => undefined;
  const stops = await Promise.all([
    ...settings.pools.map((pool) => servePool(run, pool, settings.slots)),
    bus.answer(contracts.catalog, async () => catalogue),
    bus.answer(contracts.assess, (query) => assessCall(run, query)),
    bus.answer(contracts.resolve, ({ callId, abort }) =>
      resolveCall(database, callId, abort, (approvalId) => ended(callId, approvalId)),
    ),
    ...serveSites(deps, hits),
  ]);
  bus.publish(contracts.events.toolsChanged, { digest: catalogue.digest });
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await stopScheduler();
    await Promise.all([
      stopSweeper(),
      stopMediaSweeper?.(),
      stopChecks(),
      backlog.stop(),
      clock.stop(),
      inspector.close(),
    ]);
    await Promise.all([relay(), hits.stop()]);
  };
}

const seconds = histogram('cloudhal_tool_seconds', 'How long calls of tools took.', ['pool', 'outcome']);

function servePool(run: RunDeps, pool: Pool, slots: number | undefined): Promise<Stop> {
  return run.bus.answer(
    contracts.run[pool],
    async (request, context) => {
      const observe = seconds.startTimer({ pool });
      try {
        const reply = await runTool(run, pool, request, context);
        observe({ outcome: 'ok' });
        return reply;
      } catch (error) {
        observe({ outcome: toErrorBody(error).code });
        throw error;
      }
    },
    slots === undefined ? {} : { slots },
  );
}

function serveSites({ bus, database, settings }: Deps, hits: RedirectHits): Promise<Stop>[] {
  const { origin } = new URL(settings.publicUrl);
  const changed = (site: string) => bus.publish(contracts.events.resourceUpdated, { uri: contracts.siteUri(site) });
  return [
    bus.answer(contracts.sites, async () => ({ sites: await siteBriefs(database) })),
    bus.answer(contracts.createSite, async ({ site, actor, restoredAs }) => {
      const { id, slug } = await createSite(database, site, actor, restoredAs);
      changed(id);
      return { id, slug, title: site.title };
    }),
    bus.answer(contracts.sitePage, (query) => servePage(database, { ...query, origin }, hits)),
    bus.answer(contracts.siteComment, async (query) => {
      const served = await serveComment(database, { ...query, origin });
      if (served.status === 303) changed(query.site);
      return served;
    }),
    bus.answer(contracts.siteHits, async (query) => {
      await takeHits(database, query.hits);
      return {};
    }),
    bus.answer(contracts.siteFeed, (query) => serveFeed(database, { ...query, origin })),
    bus.answer(contracts.sitePreview, (query) => servePreview(database, query)),
    bus.answer(contracts.siteMedia, (query) => siteMedia(database, query)),
    bus.answer(contracts.previewMedia, (query) => previewMedia(database, query)),
  ];
}

function siteBriefs(database: Database): Promise<{ id: string; slug: string; title: string }[]> {
  return database.query(
    `SELECT s.id, s.slug, v.title FROM tools.site s
     JOIN tools.ver v ON v.site_id = s.id AND v.track = 'draft' AND v.node_id = s.id AND v.to_seq IS NULL
     ORDER BY s.created_at, s.id`,
    [],
    { name: 'site_briefs' },
  );
}

function capabilities({ bus, database, settings }: Deps, blobs: BlobStore): Omit<Capabilities, 'assess' | 'inspect'> {
  return {
    previews: createPreviews(database, settings.publicUrl),
    media: createMediaStore(
      { database, blobs },
      { publicUrl: settings.publicUrl, maxBytes: settings.mediaMaxBytes ?? 26_214_400 },
    ),
    fetch: createGuardedFetch({ allow: settings.fetchAllow ?? [] }),
    async siteRules(site) {
      try {
        return await bus.request(contracts.siteRules, { site }, { timeoutMs: siteRulesMs });
      } catch (error) {
        throw error instanceof BusError ? fail('policy_unavailable') : error;
      }
    },
    async judgePublish(permit, args, publish) {
      const query = { permit, arguments: { ...args }, publish: { ...publish } };
      try {
        return (await bus.request(contracts.askPolicy, query, { timeoutMs: judgeMs })).data as Judgement;
      } catch (error) {
        throw error instanceof BusError ? fail('policy_unavailable') : error;
      }
    },
  };
}
