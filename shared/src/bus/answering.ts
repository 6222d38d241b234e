import { setTimeout as sleep } from 'node:timers/promises';
import { CloudhalError, type ErrorCode, fail, toErrorBody } from '../errors.ts';
import type { Log } from '../log.ts';
import { counter, histogram } from '../metrics.ts';
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

const answers = counter('cloudhal_bus_answers_total', 'Questions that were answered.', ['subject', 'outcome']);
const seconds = histogram('cloudhal_bus_answer_seconds', 'How long an answer took.', ['subject']);

export type Answerer = {
  take(question: Question): void;
  /** Waits for the handlers that are running, at most so long, then aborts the rest. */
  finish(ms: number): Promise<void>;
};

/** Turns a handler into what takes questions: validation, slots, budget and errors are the same on every bus. */
export function createAnswerer<Q, A>(
  message: Message<Q, A>,
  handler: Handler<Q, A>,
  { slots = Number.POSITIVE_INFINITY }: AnswerOptions,
  log: Log,
): Answerer {
  const check: (value: unknown) => asserts value is Q = compile<Q>(message.query);
  // The last part of some subjects is one replica's id, which would make a series for each.
  const subject = message.subject.split('.').slice(2, 5).join('.');
  const running = new Map<AbortController, Promise<void>>();

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
      answers.inc({ subject, outcome: result === forwarded ? 'forwarded' : 'ok' });
    } catch (error) {
      report(error);
      const body = toErrorBody(error);
      question.reply({ error: body });
      answers.inc({ subject, outcome: body.code });
    } finally {
      clearTimeout(timer);
      seconds.observe({ subject }, (performance.now() - arrived) / 1000);
    }
  }

  function report(error: unknown): void {
    if (!(error instanceof CloudhalError)) log.error({ err: error, subject: message.subject }, 'a handler failed');
    else if (error.cause !== undefined) log.warn({ err: error, subject: message.subject }, 'a handler failed');
  }

  return {
    take(question) {
      if (running.size >= slots) {
        question.reply({ error: toErrorBody(fail('overloaded')) });
        answers.inc({ subject, outcome: 'overloaded' });
        return;
      }
      const controller = new AbortController();
      running.set(
        controller,
        answer(question, controller).finally(() => running.delete(controller)),
      );
    },
    async finish(ms) {
      const enough = new AbortController();
      const patience = sleep(ms, undefined, { signal: enough.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled(running.values()), patience]);
      enough.abort();
      for (const controller of running.keys()) controller.abort();
    },
  };
}
