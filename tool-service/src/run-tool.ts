import { CloudhalError } from '@cloudhal/shared/errors';
import { checkValues } from '@cloudhal/shared/parse-json';
import type { Pool, ToolResult } from '@cloudhal/shared/tool';
import { type Authorized, authorize } from './authorize.ts';
import { originOf } from './calls/records.ts';
import { runChange, workOf } from './run-change.ts';
import { runRead } from './run-read.ts';
import { coded, type RunDeps, type Running } from './running.ts';

export type { Moment, RunDeps } from './running.ts';

type Context = { answerTo: string; budgetMs: number; signal: AbortSignal };

/** The only way in: nothing of a tool runs without a permit for exactly this call. Errors are thrown as coded errors. */
export async function runTool(
  deps: RunDeps,
  pool: Pool,
  request: { permit: string; arguments: Record<string, unknown> },
  context: Context,
): Promise<{ kind: 'result'; result: ToolResult }> {
  const startedAt = performance.now();
  // The gateway parsed them so; what came another way would break the line of the record, and with it those of others.
  checkValues(request.arguments);
  const authorized = authorize(deps, pool, request, context.answerTo);
  const { tool, permit, args } = authorized;
  const budgetMs = Math.min(tool.facts.budgetMs, context.budgetMs);
  const running: Running = {
    ...authorized,
    startedAt,
    origin: originOf(permit, tool.facts, args),
    call: {
      id: permit.callId,
      tool: permit.tool,
      principal: permit.principal,
      sites: permit.sites,
      scopes: permit.scopes,
      mode: permit.mode,
      ...(permit.skill && { skill: permit.skill }),
      ...(permit.approval && { approval: permit.approval }),
      permit: authorized.token,
      // The bus ends the asker's budget by itself.
      signal:
        budgetMs < context.budgetMs ? AbortSignal.any([context.signal, AbortSignal.timeout(budgetMs)]) : context.signal,
      now: deps.now,
      can: deps.can,
    },
  };
  try {
    const { handler } = tool;
    const result =
      handler.kind === 'write' && !asksForDryRun(running)
        ? await runChange(deps, workOf(handler, permit), running, budgetMs)
        : await runRead(deps, handler, running);
    return { kind: 'result', result };
  } catch (error) {
    const { body, cause } = coded(deps, error, running);
    throw new CloudhalError({ ...body, call_id: permit.callId }, { cause });
  }
}

/** A change that is only to say what it would do changes nothing, so it is run and recorded as a read. */
function asksForDryRun({ tool, args }: Authorized): boolean {
  const { dryRun: declared } = tool.facts.inputSchema.properties as Record<string, { default?: unknown } | undefined>;
  return declared !== undefined && (args.dryRun ?? declared.default) === true;
}
