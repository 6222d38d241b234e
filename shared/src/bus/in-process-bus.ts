import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { Database } from '../database.ts';
import { type ErrorCode, fail, toErrorBody } from '../errors.ts';
import { createLog, type Log } from '../log.ts';
import { type Answerer, createAnswerer, type Question } from './answering.ts';
import { Batches } from './batches.ts';
import {
  type AnswerContext,
  type AnswerOptions,
  type Bus,
  BusError,
  type EventMessage,
  type forwarded,
  type Message,
  type RequestOptions,
  type Stop,
  type Stream,
  type StreamRecord,
} from './bus.ts';
import { encode, encodeReply, finishMs, openReply, type Reply } from './wire.ts';

export type InProcessBusOptions = {
  /** Whose inboxes a forwarded answer may go to; the bus is shared by all services, and only the gateway asks so. */
  service?: string;
  /** Carries events to other processes on the same store. */
  database?: Database;
  log?: Log;
};

/** A bus for services that share one process. Payloads go through JSON, so that what fails on NATS fails here. */
export function createInProcessBus(options: InProcessBusOptions = {}): Bus {
  return new InProcessBus(options);
}

type Pending = { resolve(reply: string): void };
type Consumer = { batches: Batches<Appended>; seen: Map<string, { at: number; taken: Promise<void> }> };
type Appended = { record: StreamRecord<unknown>; done(error?: unknown): void };

const channel = 'cloudhal_bus';
const maxNotification = 7_500;
const duplicateWindowMs = 120_000;

class InProcessBus implements Bus {
  readonly inboxPrefix: string;
  readonly #database: Database | undefined;
  readonly #log: Log;
  readonly #id = randomUUID();
  readonly #answerers = new Map<string, Answerer[]>();
  readonly #pending = new Map<string, Pending>();
  readonly #subscribers = new Map<string, Set<(payload: string) => void>>();
  readonly #consumers = new Map<string, Consumer[]>();
  #stopListening: Promise<() => Promise<void>> | undefined;
  #closed = false;
  #count = 0;

  constructor({ service = 'gateway', database, log }: InProcessBusOptions) {
    this.inboxPrefix = `_INBOX_${service}.`;
    this.#database = database;
    // Standard output may belong to a protocol.
    this.#log = log ?? createLog('bus', { level: 'warn', destination: pino.destination(2) });
  }

  async request<Q, A>(message: Message<Q, A>, query: Q, options: RequestOptions): Promise<A> {
    const { subject } = message;
    if (this.#closed) throw new BusError('disconnected', subject);
    if (options.signal?.aborted) throw new BusError('aborted', subject);
    const payload = encode(query);
    const answerTo = `${this.inboxPrefix}${this.#id}.${this.#count++}`;
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    try {
      const reply = await new Promise<string>((resolve, reject) => {
        this.#pending.set(answerTo, { resolve });
        timer = setTimeout(() => reject(new BusError('timeout', subject)), options.timeoutMs);
        onAbort = () => reject(new BusError('aborted', subject));
        options.signal?.addEventListener('abort', onAbort);
        if (!this.#deliver(subject, payload, answerTo, options.timeoutMs)) {
          reject(new BusError('no_responders', subject));
        }
      });
      return openReply(reply) as A;
    } finally {
      clearTimeout(timer);
      if (onAbort) options.signal?.removeEventListener('abort', onAbort);
      this.#pending.delete(answerTo);
    }
  }

  /** Hands a question to the next member of the group; false where there is none. */
  #deliver(subject: string, payload: string, answerTo: string, budgetMs: number): boolean {
    const group = this.#answerers.get(subject);
    const next = group?.shift();
    if (!group || !next) return false;
    group.push(next);
    const question: Question = {
      query: JSON.parse(payload),
      answerTo,
      budgetMs,
      reply: (reply) => this.#reply(answerTo, reply),
      forward: (target, query, undelivered, left) => this.#forward(target, query, undelivered, answerTo, left),
    };
    // Later, as on a network: the asker never runs inside the answerer's stack.
    setImmediate(() => next.take(question));
    return true;
  }

  #forward(target: Message, query: unknown, undelivered: ErrorCode, answerTo: string, budgetMs: number): void {
    if (this.#deliver(target.subject, encode(query), answerTo, budgetMs)) return;
    this.#reply(answerTo, { error: toErrorBody(fail(undelivered as 'tool_unavailable')) });
  }

  #reply(answerTo: string, reply: Reply): void {
    this.#pending.get(answerTo)?.resolve(encodeReply(reply));
  }

  async answer<Q, A>(
    message: Message<Q, A>,
    handler: (query: Q, context: AnswerContext) => Promise<A | typeof forwarded>,
    options: AnswerOptions = {},
  ): Promise<Stop> {
    const answerer = createAnswerer(message, handler, options, this.#log);
    const group = this.#answerers.get(message.subject) ?? [];
    this.#answerers.set(message.subject, group);
    group.push(answerer);
    return async () => {
      const at = group.indexOf(answerer);
      if (at >= 0) group.splice(at, 1);
      await answerer.finish(finishMs);
    };
  }

  publish<E>(event: EventMessage<E>, payload: E): void {
    if (this.#closed) return;
    const text = encode(payload);
    this.#hear(event.subject, text);
    this.#tellOthers(event.subject, text);
  }

  #hear(subject: string, text: string): void {
    for (const subscriber of this.#subscribers.get(subject) ?? []) setImmediate(() => subscriber(text));
  }

  /** Nobody may depend on hearing an event, so one that does not get through is only noted. */
  #tellOthers(subject: string, payload: string): void {
    if (!this.#database) return;
    const text = JSON.stringify({ from: this.#id, subject, payload });
    if (Buffer.byteLength(text) > maxNotification) {
      this.#log.warn({ subject }, 'an event is too large for other processes');
      return;
    }
    this.#database.notify(channel, text).catch((error: unknown) => {
      this.#log.warn({ err: error, subject }, 'an event did not reach other processes');
    });
  }

  async subscribe<E>(event: EventMessage<E>, handler: (payload: E) => void): Promise<Stop> {
    await this.#listen();
    const subscribers = this.#subscribers.get(event.subject) ?? new Set();
    this.#subscribers.set(event.subject, subscribers);
    const subscriber = (text: string) => {
      try {
        handler(JSON.parse(text) as E);
      } catch (error) {
        this.#log.error({ err: error, subject: event.subject }, 'a subscriber failed');
      }
    };
    subscribers.add(subscriber);
    return async () => {
      subscribers.delete(subscriber);
    };
  }

  async #listen(): Promise<void> {
    if (!this.#database) return;
    this.#stopListening ??= this.#database.listen(channel, (text) => {
      const { from, subject, payload } = JSON.parse(text) as Record<string, string>;
      if (from !== this.#id && subject !== undefined && payload !== undefined) this.#hear(subject, payload);
    });
    try {
      await this.#stopListening;
    } catch (error) {
      this.#stopListening = undefined;
      throw error;
    }
  }

  /** Resolves once a consumer of this process has taken the record; the stream itself holds nothing. */
  async append<R>(stream: Stream<R>, id: string, record: R): Promise<void> {
    if (this.#closed) throw new BusError('disconnected', stream.subject);
    const consumers = this.#consumers.get(stream.name) ?? [];
    if (consumers.length === 0) throw new BusError('no_responders', stream.subject);
    const text = encode(record);
    await Promise.all(consumers.map((consumer) => offer(consumer, { id, record: JSON.parse(text) })));
  }

  async consume<R>(
    stream: Stream<R>,
    durable: string,
    handler: (batch: StreamRecord<R>[]) => Promise<void>,
  ): Promise<Stop> {
    const attempt = async (batch: Appended[]) => {
      const records = batch.map(({ record }) => record as StreamRecord<R>);
      for (let attempts = 1; ; attempts++) {
        try {
          await handler(records);
          for (const { done } of batch) done();
          return;
        } catch (error) {
          this.#log.error({ err: error, stream: stream.name, durable }, 'a batch failed');
          if (attempts >= 3 || this.#closed) {
            for (const { done } of batch) done(error);
            return;
          }
          await sleep(100 * attempts);
        }
      }
    };
    // No wait for company: whoever appends is waiting. What arrives while a batch runs is the next one.
    const consumer: Consumer = { batches: new Batches(200, 0, attempt), seen: new Map() };
    const consumers = this.#consumers.get(stream.name) ?? [];
    this.#consumers.set(stream.name, consumers);
    consumers.push(consumer);
    return async () => {
      const at = consumers.indexOf(consumer);
      if (at >= 0) consumers.splice(at, 1);
      for (const { done } of await consumer.batches.stop()) done(new BusError('no_responders', stream.subject));
    };
  }

  connected(): boolean {
    return !this.#closed;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    // What is in flight may still ask others here.
    await Promise.all([...this.#answerers.values()].flat().map((answerer) => answerer.finish(finishMs)));
    this.#closed = true;
    this.#answerers.clear();
    this.#subscribers.clear();
    const stop = await this.#stopListening?.catch(() => undefined);
    await stop?.().catch(() => undefined);
  }
}

/** A record that was offered within the window is the same one: whoever offers it again waits for the first. */
function offer(consumer: Consumer, record: StreamRecord<unknown>): Promise<void> {
  const now = Date.now();
  for (const [id, { at }] of consumer.seen) {
    if (now - at < duplicateWindowMs) break;
    consumer.seen.delete(id);
  }
  const before = consumer.seen.get(record.id);
  if (before) return before.taken;
  const taken = new Promise<void>((resolve, reject) => {
    consumer.batches.push({ record, done: (error) => (error === undefined ? resolve() : reject(error)) });
  });
  consumer.seen.set(record.id, { at: now, taken });
  taken.catch(() => consumer.seen.delete(record.id));
  return taken;
}
