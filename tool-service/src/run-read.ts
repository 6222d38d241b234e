import { type ErrorBody, fail } from '@cloudhal/shared/errors';
import type { ToolResult } from '@cloudhal/shared/tool';
import { createAsk } from './ask.ts';
import { readEvent } from './calls/records.ts';
import type { Handler } from './define-tool.ts';
import { dryRun } from './graph/mutate.ts';
import { openSiteList } from './graph/site-list.ts';
import { SqlView } from './graph/sql-view.ts';
import { coded, type RunDeps, type Running, siteOf, withinBudget } from './running.ts';

// What rides the bus at most; less than the bus takes.
const longestResult = 512 * 1024;
const largestImages = 300 * 1024;

/** Runs what changes nothing, and answers it once its line of the record is held. */
export async function runRead(deps: RunDeps, handler: Handler, running: Running): Promise<ToolResult> {
  const { permit, tool, args, token, origin, startedAt, call } = running;
  const record = (state: string, code?: ErrorBody['code']) =>
    deps.recordRead(readEvent(origin, permit, tool.facts, args, token, { state, startedAt, ...(code && { code }) }));
  let result: ToolResult;
  try {
    tool.check(args);
    result = bounded(await withinBudget(answerOf(deps, handler, running), call.signal));
  } catch (thrown) {
    const error = coded(deps, thrown, running);
    await record('failed', error.code);
    throw error;
  }
  // Before it is answered: what was read without a line in the record does not leave.
  await record('succeeded');
  return result;
}

async function answerOf(deps: RunDeps, handler: Handler, running: Running): Promise<ToolResult> {
  const { permit, args, call, token } = running;
  switch (handler.kind) {
    case 'sites':
      return handler.run(args, openSiteList(deps.database, permit.sites), call);
    case 'ask':
      return handler.run(
        args,
        createAsk(deps.bus, token, running.tool.facts.effect, call.signal, running.startedAt),
        call,
      );
    case 'view':
      return handler.run(args, new SqlView(deps.database, siteOf(running)), call);
    case 'write': {
      const prepared = await handler.prepare?.(args, new SqlView(deps.database, siteOf(running)), call);
      const { answer } = await dryRun(deps.database, siteOf(running), call.signal, (draft) =>
        handler.run(args, draft, call, prepared),
      );
      return { ...answer, changed: false };
    }
  }
}

function bounded(result: ToolResult): ToolResult {
  const imageBytes = (result.images ?? []).reduce((sum, { base64 }) => sum + base64.length, 0);
  if (imageBytes > largestImages) throw fail('limit_exceeded', { what: 'The picture', max: `${largestImages} bytes` });
  if (Buffer.byteLength(JSON.stringify(result)) > longestResult) {
    throw fail('limit_exceeded', { what: 'The answer', max: `${longestResult} bytes; ask for less of it` });
  }
  return result;
}
