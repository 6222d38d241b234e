import { type Bus, BusError } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import type { AuthorizeDeps, Authorized } from './authorize.ts';
import type { Call } from './call.ts';
import type { Backlog } from './calls/backlog.ts';
import type { RecordRead } from './calls/record-reads.ts';
import type { Origin } from './calls/records.ts';
import type { Revocations } from './calls/revocations.ts';
import type { Capabilities } from './capabilities.ts';

/** Moments of a change (`permitted`: of a scheduled one), for tests that stop or end a worker there. */
export type Moment = 'permitted' | 'attempted' | 'committing' | 'committed';

export type RunDeps = AuthorizeDeps & {
  database: Database;
  bus: Bus;
  log: Log;
  can: Capabilities;
  revocations: Revocations;
  recordRead: RecordRead;
  backlog: Pick<Backlog, 'check'>;
  at?: (moment: Moment, callId: string) => Promise<void>;
};

/** A permitted call on its way. */
export type Running = Authorized & { origin: Origin; startedAt: number; call: Call };

/** The site that the call is about. */
export function siteOf({ permit }: Running): string {
  if (permit.site === undefined)
    throw fail('validation_failed', { path: 'site', expected: 'one of the sites of list_sites' });
  return permit.site;
}

/** What nobody foresaw is logged with the call's id, and only that leaves. */
export function coded(deps: RunDeps, error: unknown, { permit }: Running): CloudhalError {
  if (error instanceof CloudhalError) return error;
  if (error instanceof BusError) return fail('tool_unavailable');
  deps.log.error({ err: error, callId: permit.callId, tool: permit.tool }, 'a tool failed');
  return fail('internal');
}

/** Waits for work until the budget is spent; then it may go on, but nobody waits for it. */
export async function withinBudget<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined;
  const spent = new Promise<never>((_, reject) => {
    onAbort = () => reject(fail('deadline_exceeded_not_applied'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, spent]);
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
}
