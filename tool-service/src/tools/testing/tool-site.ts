import { createPublicKey } from 'node:crypto';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { CloudhalError, type ErrorBody } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { createLog } from '@cloudhal/shared/log';
import { argumentsHash, type Permit, signPermit, verifyPermit } from '@cloudhal/shared/permit';
import { compile } from '@cloudhal/shared/schema';
import { generateSigner } from '@cloudhal/shared/secrets';
import type { ToolResult } from '@cloudhal/shared/tool';
import { assessCall } from '../../assess.ts';
import { createRecordRead } from '../../calls/record-reads.ts';
import { createRevocations } from '../../calls/revocations.ts';
import type { Capabilities } from '../../capabilities.ts';
import { type RunDeps, runTool } from '../../run-tool.ts';
import { createPreviews } from '../../site/previews.ts';
import { openTestSite } from '../../testing/test-site.ts';
import { tools } from '../index.ts';

type Args = Record<string, unknown>;
type As = Partial<Permit['principal']>;

const answerTo = '_INBOX_gateway.test';
const siteRules: Awaited<ReturnType<Capabilities['siteRules']>> = {
  smallPublishNodes: 5,
  personAttested: 'off',
  confirmTokenFallback: true,
  taintMinutes: 30,
  fourEyes: false,
};

/** A site of its own database, and its tools as the gateway's callers meet them: with a permit, through `runTool`. */
export async function openToolSite(options: { slug?: string; locales?: string[] } = {}) {
  const site = await openTestSite(options);
  const { signer } = generateSigner();
  const log = createLog('tool-service', { level: 'silent' });
  const bus = createInProcessBus({ service: 'gateway', log });
  const keyValue = await createPostgresKeyValue(site.database);
  const byName = new Map(tools.map((tool) => [tool.facts.name, tool]));
  const deps: RunDeps = {
    tools: byName,
    verifier: new Map([[signer.kid, createPublicKey(signer.privateKey)]]),
    answerPrefix: '_INBOX_gateway.',
    now: () => new Date(),
    database: site.database,
    bus,
    log,
    can: { siteRules: async () => siteRules, previews: createPreviews(site.database, 'https://preview.example') },
    revocations: createRevocations(keyValue),
    recordRead: createRecordRead({ bus, database: site.database, first: 'outbox' }),
    backlog: { check: () => undefined },
  };

  async function call(name: string, given: Args = {}, as: As = {}): Promise<ToolResult> {
    const { facts } = byName.get(name)!;
    const properties = facts.inputSchema.properties as object;
    const args = 'site' in properties ? { site: site.id, ...given } : given;
    const permit: Permit = {
      callId: uuidv7(),
      tool: name,
      argumentsHash: argumentsHash(args),
      principal: { id: 'agent:ada', kind: 'agent', name: 'Ada', ...as },
      site: site.id,
      sites: [site.id],
      scopes: '*',
      mode: 'edits',
      rule: 'test',
      policyVersion: '1',
      answerTo,
    };
    const context = { answerTo, budgetMs: 10_000, signal: new AbortController().signal };
    const request = { permit: signPermit(permit, signer), arguments: args };
    const { result } = await runTool(deps, facts.pool, request, context);
    conforms(facts.outputSchema, result);
    return result;
  }

  return {
    ...site,
    bus,
    call,
    /** What policy is told that a call would do. */
    assess: (name: string, args: Args) => assessCall(deps, { tool: name, site: site.id, arguments: args }),
    /** What a permit that was passed on says. */
    permit: (token: string) => verifyPermit(token, deps.verifier),
    /** The data of an answer. */
    // biome-ignore lint/suspicious/noExplicitAny: what a test looks for in an answer is its own business.
    async data<D = any>(name: string, args: Args = {}): Promise<D> {
      return (await call(name, args)).data as D;
    },
    /** What a call that must fail says. */
    async refusal(name: string, args: Args): Promise<ErrorBody> {
      const thrown: unknown = await call(name, args).then(
        (answer) => new Error(`${name} ran: ${JSON.stringify(answer)}`),
        (error) => error,
      );
      if (!(thrown instanceof CloudhalError)) throw thrown;
      return thrown.body;
    },
    async drop() {
      await bus.close();
      await site.drop();
    },
  };
}

export type ToolSite = Awaited<ReturnType<typeof openToolSite>>;

/** Clients refuse an answer that does not fit the schema that they were given. */
function conforms(schema: object, result: ToolResult): void {
  const check: (value: unknown) => void = compile(schema);
  check(JSON.parse(JSON.stringify(result)));
}
