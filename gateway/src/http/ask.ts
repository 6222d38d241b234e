import { type Bus, BusError, type Message } from '@cloudhal/shared/bus/bus';
import { type ErrorCode, fail } from '@cloudhal/shared/errors';

type Unavailable = Extract<ErrorCode, 'policy_unavailable' | 'tool_unavailable' | 'storage_unavailable'>;

/** Asks another service and says which part is away where no answer comes. Only for questions that change nothing, or that may be repeated. */
export async function ask<Q, A>(
  bus: Bus,
  message: Message<Q, A>,
  query: Q,
  unavailable: Unavailable,
  timeoutMs = 10_000,
): Promise<A> {
  try {
    return await bus.request(message, query, { timeoutMs });
  } catch (error) {
    throw error instanceof BusError ? fail(unavailable) : error;
  }
}
