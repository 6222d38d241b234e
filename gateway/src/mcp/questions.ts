import { randomBytes } from 'node:crypto';
import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { clientAnswer } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Who was asked: an answer counts from the same principal in the same session only. */
export type Asked = { principal: string; session: string };

export type Questions = {
  /**
   * Registers a question that a server put to its client; the id to send it under is unguessable and names this replica.
   * Throws when one principal has too many open: a call that waits keeps its connection.
   */
  open(asked: Asked, deliver: (answer: JSONRPCMessage) => void): string;
  close(id: string): void;
  /** Brings a client's answer to the replica that waits for it; says whether anybody took it. */
  answer(id: unknown, asked: Asked, answer: JSONRPCMessage): Promise<boolean>;
  stop: Stop;
};

const maxEach = 20;

type Waiting = Asked & { deliver: (answer: JSONRPCMessage) => void };

/** The questions to clients of the 2025 revisions that this replica waits for, and the way to those of the others. */
export async function openQuestions(deps: { bus: Bus; log: Log; replica: string }): Promise<Questions> {
  const { bus, log, replica } = deps;
  const waiting = new Map<string, Waiting>();

  function take(nonce: string, asked: Asked, answer: JSONRPCMessage): boolean {
    const question = waiting.get(nonce);
    if (question?.principal !== asked.principal || question.session !== asked.session) return false;
    waiting.delete(nonce);
    question.deliver(answer);
    return true;
  }

  const stop = await bus.answer(clientAnswer(replica), async ({ nonce, principal, session, message }) => ({
    taken: take(nonce, { principal, session }, message as JSONRPCMessage),
  }));

  return {
    open(asked, deliver) {
      const open = [...waiting.values()].filter(({ principal }) => principal === asked.principal).length;
      if (open >= maxEach) throw fail('rate_limited', { limit: `${maxEach} open questions`, retryAfter: 60 });
      const nonce = randomBytes(16).toString('base64url');
      waiting.set(nonce, { ...asked, deliver });
      return `${replica}.${nonce}`;
    },
    close(id) {
      waiting.delete(id.slice(replica.length + 1));
    },
    async answer(id, asked, answer) {
      // The replica becomes part of a subject, so nothing else may pass.
      const [, owner, nonce] = /^([a-z0-9-]{1,64})\.([\w-]{22})$/.exec(String(id)) ?? [];
      if (owner === undefined || nonce === undefined) return false;
      if (owner === replica) return take(nonce, asked, answer);
      try {
        const { taken } = await bus.request(
          clientAnswer(owner),
          { nonce, ...asked, message: answer },
          { timeoutMs: 2_000 },
        );
        return taken;
      } catch (error) {
        log.info({ err: error, owner }, 'the replica that asked is gone: the approval stays pending');
        return false;
      }
    },
    stop,
  };
}
