import { setTimeout as sleep } from 'node:timers/promises';
import { CloudhalError, type ErrorCode, fail, toErrorBody } from '../errors.ts';
import type { Log } from '../log.ts';
import { compile } from '../schema.ts';
import { type AnswerContext, type AnswerOptions, forwarded, type Message } from './bus.ts';
import type { Reply } from './wire.ts';

/** A question as it arrived, whatever carried it. */
export type Question = {
  query: unknown;
  answerTo: string;
  budgetMs: number;
  reply(reply: Reply): void;
  /** Sends a question on; the asker is told if nobody serves it. */
  forward(message: Message<unknown, unknown>, query: unknown, undelivered: ErrorCode, budgetMs: number): void;
};

type Handler<Q, A> = (query: Q, context: AnswerContext) => Promise<A | typeof forwarded>;

/** The handlers that are running, so that closing can wait for them. */
export class OpenWork {
  readonly #running = new Map<AbortController, Promise<void>>();

  run(work: (controller: AbortController) => Promise<void>): void {
    const controller = new AbortController();
    const running = work(controller).finally(() => this.#running.delete(controller));
    this.#running.set(controller, running);
  }

  /** Waits for all, at most so long, then aborts the rest. */
  async finish(ms: number): Promise<void> {
    const timer = new AbortController();
    const all = Promise.allSettled(this.#running.values());
    await Promise.race([all, sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
    for (const controller of this.#running.keys()) controller.abort();
  }
}

/** Turns a handler into what takes questions: validation, slots, budget and errors are the same on every bus. */
export function createAnswerer<Q, A>(
  message: Message<Q, A>,
  handler: Handler<Q, A>,
  options: AnswerOptions,
  work: OpenWork,
  log: Log,
): (question: Question) => void {
  const check: (value: unknown) => asserts value is Q = compile<Q>(message.query);
  const slots = options.slots ?? Number.POSITIVE_INFINITY;
  let busy = 0;

  async function answer(question: Question, controller: AbortController): Promise<void> {
    const arrived = performance.now();
    const timer = setTimeout(() => controller.abort(), question.budgetMs);
    const context: AnswerContext = {
      answerTo: question.answerTo,
      budgetMs: question.budgetMs,
      signal: controller.signal,
      forward(target, query, undelivered) {
        const left = Math.floor(question.budgetMs - (performance.now() - arrived));
        // Whoever asked has given up: what would be sent now could still take effect.
        if (left <= 0) throw fail('deadline_exceeded_not_applied');
        question.forward(target as Message<unknown, unknown>, query, undelivered, left);
        return forwarded;
      },
    };
    try {
      const { query } = question;
      check(query);
      const result = await handler(query, context);
      if (result !== forwarded) question.reply({ ok: result });
    } catch (error) {
      report(error);
      question.reply({ error: toErrorBody(error) });
    } finally {
      clearTimeout(timer);
    }
  }

  function report(error: unknown): void {
    if (!(error instanceof CloudhalError)) log.error({ err: error, subject: message.subject }, 'a handler failed');
    else if (error.cause !== undefined) log.warn({ err: error, subject: message.subject }, 'a handler failed');
  }

  return (question) => {
    if (busy >= slots) {
      question.reply({ error: toErrorBody(fail('overloaded')) });
      return;
    }
    busy++;
    work.run((controller) => answer(question, controller).finally(() => busy--));
  };
}
