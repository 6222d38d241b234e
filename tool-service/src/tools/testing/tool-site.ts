import type { ErrorBody } from '@cloudhal/shared/errors';
import { type Permit, verifyPermit } from '@cloudhal/shared/permit';
import { compile } from '@cloudhal/shared/schema';
import type { ToolResult } from '@cloudhal/shared/tool';
import { assessCall } from '../../assess.ts';
import type { Capabilities } from '../../capabilities.ts';
import { createPreviews } from '../../site/previews.ts';
import { openTestRunner } from '../../testing/test-runner.ts';
import { tools } from '../index.ts';

type Args = Record<string, unknown>;
type Rules = Awaited<ReturnType<Capabilities['siteRules']>>;

const rules: Rules = {
  smallPublishNodes: 5,
  personAttested: 'off',
  confirmTokenFallback: true,
  taintMinutes: 30,
  fourEyes: false,
};

/** A site of its own database, and its tools as callers meet them: the site filled in, with a permit, through `runTool`. */
export async function openToolSite(options: { slug?: string; locales?: string[] } = {}) {
  const runner = await openTestRunner(tools, {}, options);
  const { deps, id } = runner;
  deps.can = {
    ...deps.can,
    siteRules: async () => rules,
    judgePublish: async () => ({ decision: 'person', rule: 'edits/auto-publish', reasons: ['in mode edits'] }),
    previews: createPreviews(runner.database, 'https://preview.example'),
  };

  function withSite(name: string, args: Args): Args {
    const properties = deps.tools.get(name)!.facts.inputSchema.properties as object;
    return 'site' in properties ? { site: id, ...args } : args;
  }

  async function call(name: string, args: Args = {}, as: Partial<Permit['principal']> = {}): Promise<ToolResult> {
    const principal = { id: 'agent:ada', kind: 'agent' as const, name: 'Ada', ...as };
    const result = await runner.call(name, withSite(name, args), { principal, sites: [id] });
    conforms(deps.tools.get(name)!.facts.outputSchema, result);
    return result;
  }

  return {
    ...runner,
    call,
    /** The data of an answer. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever an answer says
    async data<D = any>(name: string, args: Args = {}): Promise<D> {
      return (await call(name, args)).data as D;
    },
    /** Terms of a taxonomy, in the draft. */
    addTerms: (taxonomy: string, ...slugs: string[]) =>
      runner.change(async (draft) => {
        for (const slug of slugs) await draft.create('term', { taxonomy, slug, label: slug, locale: 'en' });
      }),
    /** What a call that must fail says. */
    refusal: (name: string, args: Args): Promise<ErrorBody> => runner.refused(name, withSite(name, args)),
    /** What policy is told that a call would do. */
    assess: (name: string, args: Args) => assessCall(deps, { tool: name, site: id, arguments: args }),
    /** What a permit that was passed on says. */
    permit: (token: string) => verifyPermit(token, deps.verifier),
  };
}

export type ToolSite = Awaited<ReturnType<typeof openToolSite>>;

/** Clients refuse an answer that does not fit the schema that they were given. */
function conforms(schema: object, result: ToolResult): void {
  const check: (value: unknown) => void = compile(schema);
  check(JSON.parse(JSON.stringify(result)));
}
