import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';

/** A question with one answer; the type parameters exist for the compiler alone. */
export type Message<Q = unknown, A = unknown> = {
  kind: 'message';
  subject: string;
  query: TSchema;
  answer: TSchema;
  readonly types?: { query: Q; answer: A };
};

/** Something that happened; whoever listens hears it, and nobody may depend on hearing it. */
export type EventMessage<E = unknown> = { kind: 'event'; subject: string; payload: TSchema; readonly types?: E };

/** A durable, acknowledged stream of records: JetStream in a deployment. */
export type Stream<R = unknown> = {
  kind: 'stream';
  name: string;
  subject: string;
  record: TSchema;
  readonly types?: R;
};

/** Declares a question. Subjects are `cloudhal.v1.<service>.<verb>`. */
export function request<Q extends TSchema, A extends TSchema>(
  subject: string,
  query: Q,
  answer: A,
): Message<Static<Q>, Static<A>> {
  return { kind: 'message', subject, query, answer };
}

export function event<P extends TSchema>(subject: string, payload: P): EventMessage<Static<P>> {
  return { kind: 'event', subject, payload };
}

export function stream<R extends TSchema>(name: string, subject: string, record: R): Stream<Static<R>> {
  return { kind: 'stream', name, subject, record };
}

/** What a handler returns when it passed the question on: somebody else answers it. */
export const forwarded = Symbol('forwarded');

export type AnswerContext = {
  /** Where the answer goes: the asker's inbox, also after a forward. */
  answerTo: string;
  /** Milliseconds left of the asker's budget when the question arrived. */
  budgetMs: number;
  /** Aborts when the budget is spent or the bus closes. */
  signal: AbortSignal;
  /**
   * Passes the call on to another service, which answers the asker directly. Where nobody serves `message` the asker
   * gets the error `undelivered`, with `applied: no`.
   */
  forward<Q>(message: Message<Q, unknown>, query: Q, undelivered: ErrorCode): typeof forwarded;
};

export type AnswerOptions = {
  /** How many questions are worked on at once; the next one is answered `overloaded` at once. Default: no limit. */
  slots?: number;
};

export type RequestOptions = {
  /** The budget: how long the asker waits, and what the answerer is told is left. */
  timeoutMs: number;
  signal?: AbortSignal;
};

export type StreamRecord<R> = { id: string; record: R };

export type Stop = () => Promise<void>;

/**
 * How services meet. Two adapters, one contract suite: in-process, and NATS with JetStream.
 * A handler that throws answers with an error body; `request` then rejects with that `CloudhalError`.
 */
export interface Bus {
  /** The prefix of this bus's own inboxes, such as `_INBOX_gateway.`; a forwarded answer may go nowhere else. */
  readonly inboxPrefix: string;
  /** Asks and waits. Rejects with `BusError` where no answer came, which never means "not done". */
  request<Q, A>(message: Message<Q, A>, query: Q, options: RequestOptions): Promise<A>;
  /**
   * Serves a question as one member of the service's queue group. A query that breaks its schema is answered
   * `validation_failed`. Stopping waits for the handlers that are running.
   */
  answer<Q, A>(
    message: Message<Q, A>,
    handler: (query: Q, context: AnswerContext) => Promise<A | typeof forwarded>,
    options?: AnswerOptions,
  ): Promise<Stop>;
  publish<E>(event: EventMessage<E>, payload: E): void;
  subscribe<E>(event: EventMessage<E>, handler: (payload: E) => void): Promise<Stop>;
  /** Resolves once the stream holds the record durably; a repeated id within the window is stored once. */
  append<R>(stream: Stream<R>, id: string, record: R): Promise<void>;
  /**
   * Delivers records at least once, in batches of at most 200, one at a time; a batch whose handler throws comes again. A
   * stream has one durable consumer, which any number of processes share. What is no JSON is delivered as its text.
   */
  consume<R>(stream: Stream<R>, durable: string, handler: (batch: StreamRecord<R>[]) => Promise<void>): Promise<Stop>;
  /** False while the connection is down. */
  connected(): boolean;
  /** Answers what is in flight, then closes. */
  close(): Promise<void>;
}

/** No answer came. `timeout` and `disconnected` say nothing about whether the question was acted on. */
export class BusError extends Error {
  override readonly name = 'BusError';
  readonly reason: 'no_responders' | 'timeout' | 'disconnected' | 'aborted';

  constructor(reason: BusError['reason'], subject: string) {
    super(`${subject}: ${reason}`);
    this.reason = reason;
  }
}
