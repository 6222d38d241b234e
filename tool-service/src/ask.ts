import { type Bus, BusError, type Message } from '@cloudhal/shared/bus/bus';
import { askAudit, askPolicy, listSkills, readSkill } from '@cloudhal/shared/contracts';
import { type ErrorCode, fail } from '@cloudhal/shared/errors';
import type { Effect } from '@cloudhal/shared/policy';
import { budgets } from '@cloudhal/shared/tool';
import type { Ask } from './call.ts';

type Unavailable = Extract<ErrorCode, 'policy_unavailable' | 'audit_unavailable' | 'skill_unavailable'>;

/** Asks the services that own the answers of group 16, with the call's permit as the authority. */
export function createAsk(bus: Bus, permit: string, effect: Effect, signal: AbortSignal, startedAt: number): Ask {
  async function ask<Q, A>(message: Message<Q, A>, query: Q, unavailable: Unavailable): Promise<A> {
    const timeoutMs = Math.max(1, budgets.read - (performance.now() - startedAt));
    try {
      return await bus.request(message, query, { timeoutMs, signal });
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      // Nobody there did nothing; silence may have done something.
      throw effect === 'ask' && error.reason !== 'no_responders' ? fail('outcome_unknown') : fail(unavailable);
    }
  }
  return {
    policy: (args) => ask(askPolicy, { permit, arguments: args }, 'policy_unavailable'),
    audit: (args) => ask(askAudit, { permit, arguments: args }, 'audit_unavailable'),
    skills: {
      list: async () => (await ask(listSkills, {}, 'skill_unavailable')).skills,
      read: (name, path) => ask(readSkill, { name, path }, 'skill_unavailable'),
    },
  };
}
