import { setTimeout as sleep } from 'node:timers/promises';
import type { CallReply } from '@cloudhal/shared/contracts';
import { CloudhalError, type ErrorBody, errorTable, fail } from '@cloudhal/shared/errors';
import type { Static } from 'typebox';
import type { Deadline } from '../deadline.ts';
import type { Room } from '../room.ts';
import type { Approval } from './approval.ts';
import { markTold } from './follow.ts';
import { resolveCall, settle } from './settle.ts';

export type Stored = { reply: Static<typeof CallReply> } | { error: CloudhalError };

/**
 * How the call ended that an approval was used for. Waits while it runs. `undefined`: it took no effect, or somebody else
 * was told what was to be told once; the call has to be decided again.
 */
export async function storedResult(
  room: Room,
  approval: Approval,
  { once, budget }: { once: boolean; budget: Deadline },
): Promise<Stored | undefined> {
  const callId = approval.consumedCallId;
  if (callId === null) return undefined;
  for (;;) {
    const outcome = await askFor(room, callId, budget);
    if (outcome.state === 'attempted') {
      if (budget.remaining() < 500) throw fail('in_progress');
      await sleep(100);
      continue;
    }
    if (approval.state === 'consumed') await settle(room, { id: approval.id, consumedCallId: callId }, outcome);
    if (outcome.state === 'aborted') return undefined;
    if (!(await markTold(room, approval.id)) && once) return undefined;
    if (outcome.state === 'succeeded') return { reply: { kind: 'result', result: outcome.result } };
    return { error: storedError(outcome.error) };
  }
}

async function askFor(room: Room, callId: string, budget: Deadline) {
  try {
    const timeoutMs = Math.min(2_000, Math.max(1, budget.remaining()));
    return await resolveCall(room, callId, { abort: false, timeoutMs });
  } catch (error) {
    room.log.warn({ err: error, callId }, 'could not ask what became of an approved call');
    throw fail('outcome_unknown');
  }
}

function storedError(error: unknown): CloudhalError {
  const body = error as ErrorBody | null;
  const known = typeof body?.code === 'string' && Object.hasOwn(errorTable, body.code);
  return known ? new CloudhalError(body) : fail('internal');
}
