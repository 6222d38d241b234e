import { connect, createInbox, credsAuthenticator, type Msg, type MsgHdrs, type NatsConnection, NatsError } from 'nats';
import { type ErrorCode, fail, toErrorBody } from '../errors.ts';
import type { Log } from '../log.ts';
import { type Answerer, createAnswerer, type Question } from './answering.ts';
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
import { answerToOf, budgetOf, headersOf, inTraceOf, isUndelivered, textOf } from './nats-messages.ts';
import { NatsStreams } from './nats-streams.ts';
import { encode, encodeReply, finishMs, openReply } from './wire.ts';

export type NatsBusOptions = {
  /** `nats://host:4222`, several separated by commas. */
  servers: string;
  /** Queue group, inbox prefix and shown name. */
  service: string;
  user?: string;
  password?: string;
  /** The text of a credentials file, instead of user and password. */
  credentials?: string;
  /** The text of the certificate authority's PEM; its presence asks for TLS. */
  tlsCa?: string;
  log: Log;
  /** Keeps apart tests that share a server. */
  subjectPrefix?: string;
  /** The connection is closed for good, which only a new process repairs. */
  onClosed?: (error?: Error) => void;
};

/** How long the server may take to say that nobody serves a forwarded call. */
const forwardWaitMs = 2_000;

/** Connects within 5 s or rejects; later it reconnects for ever. */
export async function connectNatsBus(options: NatsBusOptions): Promise<Bus> {
  const { servers, service, user, password, credentials, tlsCa } = options;
  const connection = await connect({
    servers: servers.split(','),
    name: service,
    inboxPrefix: `_INBOX_${service}`,
    timeout: 5_000,
    pingInterval: 5_000,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    // The server may know the user again in a moment, after a reload say.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    ...(user !== undefined && { user, pass: password ?? '' }),
    ...(credentials !== undefined && { authenticator: credsAuthenticator(Buffer.from(credentials)) }),
    ...(tlsCa !== undefined && { tls: { ca: tlsCa } }),
  });
  return new NatsBus(connection, options);
}

class NatsBus implements Bus {
  readonly inboxPrefix: string;
  readonly #connection: NatsConnection;
  readonly #service: string;
  readonly #log: Log;
  readonly #prefix: string;
  readonly #streams: NatsStreams;
  /** Every answer to this bus arrives under this subject; the last part says to what. */
  readonly #inbox: string;
  readonly #expected = new Map<string, (msg: Msg) => void>();
  readonly #serving = new Set<Stop>();
  #count = 0;
  #isConnected = true;
  #closing: Promise<void> | undefined;

  constructor(connection: NatsConnection, { service, log, subjectPrefix, onClosed }: NatsBusOptions) {
    this.#connection = connection;
    this.#service = service;
    this.#log = log;
    this.inboxPrefix = `_INBOX_${service}.`;
    const inboxPrefix = `_INBOX_${service}`;
    this.#inbox = createInbox(inboxPrefix);
    this.#prefix = subjectPrefix === undefined ? '' : `${subjectPrefix}.`;
    const connected = () => this.connected();
    this.#streams = new NatsStreams({ connection, log, inboxPrefix, subjectPrefix, connected });
    connection.subscribe(`${this.#inbox}.*`, { callback: (_, msg) => this.#take(msg) });
    void this.#watch();
    void connection.closed().then((error) => {
      this.#isConnected = false;
      if (!this.#closing) onClosed?.(error ?? undefined);
    });
  }

  async #watch(): Promise<void> {
    for await (const { type, data } of this.#connection.status()) {
      if (type === 'disconnect') this.#isConnected = false;
      else if (type === 'reconnect') this.#isConnected = true;
      else if (type !== 'error') continue;
      this.#log.warn({ event: type, data }, 'the connection to NATS');
    }
  }

  #take(msg: Msg): void {
    const token = msg.subject.slice(this.#inbox.length + 1);
    const expect = this.#expected.get(token);
    this.#expected.delete(token);
    expect?.(msg);
  }

  async request<Q, A>(message: Message<Q, A>, query: Q, options: RequestOptions): Promise<A> {
    const { subject } = message;
    const { timeoutMs, signal } = options;
    // What is published while the connection is down is lost without a word.
    if (!this.connected()) throw new BusError('disconnected', subject);
    if (signal?.aborted) throw new BusError('aborted', subject);
    const payload = encode(query, this.#maxPayload());
    const token = String(this.#count++);
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    try {
      const msg = await new Promise<Msg>((resolve, reject) => {
        this.#expected.set(token, resolve);
        timer = setTimeout(() => reject(new BusError('timeout', subject)), timeoutMs);
        onAbort = () => reject(new BusError('aborted', subject));
        signal?.addEventListener('abort', onAbort);
        this.#send(subject, payload, { reply: `${this.#inbox}.${token}`, headers: headersOf(timeoutMs) });
      });
      if (isUndelivered(msg)) throw new BusError('no_responders', subject);
      return openReply(textOf(msg)) as A;
    } finally {
      clearTimeout(timer);
      if (onAbort) signal?.removeEventListener('abort', onAbort);
      this.#expected.delete(token);
    }
  }

  #send(subject: string, payload: string, options: { reply: string; headers: MsgHdrs }): void {
    try {
      this.#connection.publish(this.#prefix + subject, payload, options);
    } catch (error) {
      throw error instanceof NatsError ? new BusError('disconnected', subject) : error;
    }
  }

  #maxPayload(): number {
    // Room for the headers, which count as well.
    return (this.#connection.info?.max_payload ?? 1_048_576) - 4_096;
  }

  async answer<Q, A>(
    message: Message<Q, A>,
    handler: (query: Q, context: AnswerContext) => Promise<A | typeof forwarded>,
    options: AnswerOptions = {},
  ): Promise<Stop> {
    const answerer = createAnswerer(message, handler, options, this.#log);
    // One entry of the services framework for each message: an endpoint cannot leave a service without ending it.
    const name = message.subject.replace(/^cloudhal\.v1\./, '').replace(/[^A-Za-z0-9_-]/g, '-');
    const service = await this.#connection.services.add({ name, version: '1.0.0', queue: this.#service });
    service.addEndpoint('answer', {
      subject: this.#prefix + message.subject,
      handler: (error, msg) => {
        if (error) this.#log.error({ err: error, subject: message.subject }, 'a question did not arrive');
        else this.#receive(msg, message.subject, answerer);
      },
    });
    // A refused subscription is told before the answer to this.
    await this.#connection.flush();
    if (service.isStopped) throw (await service.stopped) ?? new BusError('disconnected', message.subject);
    const stop = async () => {
      this.#serving.delete(stop);
      await service.stop();
      await answerer.finish(finishMs);
    };
    this.#serving.add(stop);
    void service.stopped.then((error) => {
      if (error && !this.#closing) this.#log.error({ err: error, subject: message.subject }, 'serving ended');
    });
    return stop;
  }

  #receive(msg: Pick<Msg, 'data' | 'headers' | 'reply'>, subject: string, answerer: Answerer): void {
    const answerTo = answerToOf(msg);
    if (answerTo === undefined) {
      this.#log.warn({ subject }, 'a question without an inbox was dropped');
      return;
    }
    const reply: Question['reply'] = (body) => this.#reply(answerTo, encodeReply(body, this.#maxPayload()));
    let query: unknown;
    try {
      query = JSON.parse(textOf(msg));
    } catch {
      reply({ error: toErrorBody(fail('malformed_json', { reason: 'the message is not JSON' })) });
      return;
    }
    inTraceOf(msg, () =>
      answerer.take({
        query,
        answerTo,
        budgetMs: budgetOf(msg),
        reply,
        forward: (target, forwardedQuery, undelivered, left) =>
          this.#forward(target, forwardedQuery, undelivered, answerTo, left),
      }),
    );
  }

  #reply(answerTo: string, text: string): void {
    try {
      this.#connection.publish(answerTo, text);
    } catch (error) {
      this.#log.warn({ err: error }, 'an answer could not be sent');
    }
  }

  /**
   * The reply subject is an inbox of our own, where only the server's "no responders" arrives: with the asker's inbox
   * there, that would reach nobody who understands it.
   */
  #forward(target: Message, query: unknown, undelivered: ErrorCode, answerTo: string, budgetMs: number): void {
    const token = String(this.#count++);
    const payload = encode(query, this.#maxPayload());
    const timer = setTimeout(() => this.#expected.delete(token), forwardWaitMs);
    this.#expected.set(token, (msg) => {
      clearTimeout(timer);
      if (!isUndelivered(msg)) return;
      this.#reply(answerTo, encodeReply({ error: toErrorBody(fail(undelivered as 'tool_unavailable')) }));
    });
    this.#send(target.subject, payload, { reply: `${this.#inbox}.${token}`, headers: headersOf(budgetMs, answerTo) });
  }

  publish<E>(event: EventMessage<E>, payload: E): void {
    const text = encode(payload, this.#maxPayload());
    // Nobody may depend on hearing an event, so one that cannot be sent is only noted.
    if (!this.connected()) this.#log.debug({ subject: event.subject }, 'an event was not sent');
    else this.#reply(this.#prefix + event.subject, text);
  }

  async subscribe<E>(event: EventMessage<E>, handler: (payload: E) => void): Promise<Stop> {
    const subscription = this.#connection.subscribe(this.#prefix + event.subject, {
      callback: (error, msg) => {
        try {
          if (error) throw error;
          handler(JSON.parse(textOf(msg)) as E);
        } catch (failure) {
          this.#log.error({ err: failure, subject: event.subject }, 'a subscriber failed');
        }
      },
    });
    await this.#connection.flush();
    return async () => {
      if (!this.#connection.isClosed()) subscription.unsubscribe();
    };
  }

  async append<R>(stream: Stream<R>, id: string, record: R): Promise<void> {
    await this.#streams.append(stream, id, encode(record, this.#maxPayload()));
  }

  async consume<R>(
    stream: Stream<R>,
    durable: string,
    handler: (batch: StreamRecord<R>[]) => Promise<void>,
  ): Promise<Stop> {
    const stopConsuming = await this.#streams.consume(
      stream,
      durable,
      handler as (b: StreamRecord<unknown>[]) => Promise<void>,
    );
    const stop = async () => {
      this.#serving.delete(stop);
      await stopConsuming();
    };
    this.#serving.add(stop);
    return stop;
  }

  connected(): boolean {
    return this.#isConnected && !this.#connection.isClosed();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (!this.#connection.isClosed() && this.connected()) {
      await Promise.allSettled([...this.#serving].map((stop) => stop()));
      await this.#connection.drain().catch(() => undefined);
    }
    await this.#connection.close();
  }
}
