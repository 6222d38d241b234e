import { createPublicKey } from 'node:crypto';
import { createPostgresBlobs } from '@cloudhal/shared/blobs/postgres-blobs';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { CloudhalError, type ErrorBody, fail } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { createLog } from '@cloudhal/shared/log';
import { argumentsHash, type Permit, signPermit } from '@cloudhal/shared/permit';
import { generateSigner } from '@cloudhal/shared/secrets';
import type { Pool, ToolResult } from '@cloudhal/shared/tool';
import { assessCall } from '../assess.ts';
import { createRecordRead } from '../calls/record-reads.ts';
import { createRevocations } from '../calls/revocations.ts';
import type { Tool } from '../define-tool.ts';
import { createMediaStore } from '../media/media-store.ts';
import { type RunDeps, runTool } from '../run-tool.ts';
import { tools as allTools } from '../tools/index.ts';
import { openTestSite } from './test-site.ts';

export type CallOptions = Partial<Permit> & {
  pool?: Pool;
  /** What reaches the worker, where it is not what was permitted. */
  arguments?: Record<string, unknown>;
  answerTo?: string;
  from?: string;
  budgetMs?: number;
  token?: string;
};

export const answerTo = '_INBOX_gateway.test.1';

/** A worker on a site of its own, with a permit for whatever a test calls. */
export async function openTestRunner(
  tools: readonly Tool[] = allTools,
  overrides: Partial<RunDeps> = {},
  options: Parameters<typeof openTestSite>[0] = {},
) {
  const site = await openTestSite(options);
  const { signer } = generateSigner();
  const keyValue = await createPostgresKeyValue(site.database);
  const bus = createInProcessBus();
  const blobs = createPostgresBlobs(site.database);
  const deps: RunDeps = {
    tools: new Map(tools.map((tool) => [tool.facts.name, tool])),
    verifier: new Map([[signer.kid, createPublicKey(signer.privateKey)]]),
    answerPrefix: '_INBOX_gateway.',
    now: () => new Date(),
    database: site.database,
    bus,
    log: createLog('tool-service', { level: 'silent' }),
    can: {
      previews: { mint: () => Promise.reject(new Error('no previews here')) },
      media: createMediaStore(
        { database: site.database, blobs },
        { publicUrl: 'https://site.example', maxBytes: 1_000_000 },
      ),
      fetch: () => Promise.reject(new Error('nothing is fetched here')),
      siteRules: () => Promise.reject(new Error('no rules here')),
      judgePublish: () => Promise.reject(fail('policy_unavailable')),
      inspect: () => Promise.reject(new Error('no browser here')),
      assess: (query) => assessCall(deps, query),
    },
    revocations: createRevocations(keyValue),
    recordRead: createRecordRead({ bus, database: site.database, first: 'outbox' }),
    backlog: { check: () => undefined },
    ...overrides,
  };

  function permitFor(tool: string, args: Record<string, unknown>, more: Partial<Permit> = {}): Permit {
    return {
      callId: uuidv7(),
      tool,
      argumentsHash: argumentsHash(args),
      principal: { id: 'agent:ada', kind: 'agent', name: 'Ada', owner: 'person:1', keyId: 'key1', keyGeneration: 1 },
      site: site.id,
      sites: '*',
      scopes: '*',
      mode: 'edits',
      rule: 'edits.edit',
      policyVersion: '1',
      answerTo,
      ...more,
    };
  }

  async function call(tool: string, args: Record<string, unknown>, options: CallOptions = {}): Promise<ToolResult> {
    const {
      pool = deps.tools.get(tool)?.facts.pool ?? 'content',
      arguments: sent = args,
      from = answerTo,
      budgetMs = 20_000,
      token,
      ...more
    } = options;
    const permit = token ?? signPermit(permitFor(tool, args, more), signer);
    const context = { answerTo: from, budgetMs, signal: AbortSignal.timeout(budgetMs) };
    return (await runTool(deps, pool, { permit, arguments: sent }, context)).result;
  }

  return {
    ...site,
    deps,
    signer,
    keyValue,
    bus,
    blobs,
    permitFor,
    call,
    /** The coded error of a call. */
    async refused(tool: string, args: Record<string, unknown>, options: CallOptions = {}): Promise<ErrorBody> {
      const error: unknown = await call(tool, args, options).then(
        () => new Error(`${tool} was not refused`),
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof CloudhalError)) throw error;
      return error.body;
    },
    /** Lines of the record that wait in the outbox, in order. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever a line says
    async record(callId?: string): Promise<any[]> {
      const rows = await site.database.query<{ event: { call_id?: string } }>(
        'SELECT event FROM tools.outbox ORDER BY seq',
      );
      return rows.map((row) => row.event).filter((event) => callId === undefined || event.call_id === callId);
    },
    async drop() {
      await bus.close();
      await keyValue.close();
      await site.drop();
    },
  };
}

export type TestRunner = Awaited<ReturnType<typeof openTestRunner>>;
