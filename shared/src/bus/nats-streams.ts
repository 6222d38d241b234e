import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  createInbox,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  type Msg,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from 'nats';
import type { Log } from '../log.ts';
import { Batches } from './batches.ts';
import { BusError, type Stop, type Stream, type StreamRecord } from './bus.ts';

type AnyStream = Pick<Stream, 'name' | 'subject'>;

const timeoutMs = 2_000;
const batchSize = 200;
const batchMs = 50;
const pullMs = 1_000;
/**
 * How long a stream knows an id again: longer than an append tries, and shorter than an outbox waits before it publishes
 * anew what nobody confirmed, which has to arrive then.
 */
const rememberedMs = 30_000;
/** A server that removes a stream says so before it is done; one that is made meanwhile is damaged. */
const settleMs = 250;

/** What the stream needs to be; the rest, such as replicas and size, is whoever runs the deployment's to tune. */
const streamShape = {
  // A record leaves once it is acknowledged; until then a full stream refuses new ones rather than dropping old ones.
  retention: RetentionPolicy.Workqueue,
  discard: DiscardPolicy.New,
  storage: StorageType.File,
} as const;

const consumerShape = {
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ack_wait: nanos(30_000),
  max_ack_pending: 1_000,
  max_deliver: -1,
} as const;

/** Streams and durable consumers on JetStream. Both are made where they are missing, and made again if the server lost its store. */
export class NatsStreams {
  readonly #connection: NatsConnection;
  readonly #log: Log;
  readonly #inboxPrefix: string;
  readonly #prefix: string | undefined;
  readonly #connected: () => boolean;

  constructor(options: {
    connection: NatsConnection;
    log: Log;
    inboxPrefix: string;
    subjectPrefix: string | undefined;
    connected: () => boolean;
  }) {
    this.#connection = options.connection;
    this.#log = options.log;
    this.#inboxPrefix = options.inboxPrefix;
    this.#prefix = options.subjectPrefix;
    this.#connected = options.connected;
  }

  #subjectOf(stream: AnyStream): string {
    return this.#prefix === undefined ? stream.subject : `${this.#prefix}.${stream.subject}`;
  }

  #nameOf(stream: AnyStream): string {
    return this.#prefix === undefined ? stream.name : `${this.#prefix}_${stream.name}`;
  }

  async append(stream: AnyStream, id: string, text: string): Promise<void> {
    const subject = this.#subjectOf(stream);
    const jetstream = this.#connection.jetstream({ timeout: timeoutMs });
    for (let attempt = 1; ; attempt++) {
      if (!this.#connected()) throw new BusError('disconnected', stream.subject);
      try {
        // The same id each time: what was stored, and only the word of it lost, is not stored twice.
        await jetstream.publish(subject, text, { msgID: id, timeout: timeoutMs });
        return;
      } catch (error) {
        const reason = reasonOf(error);
        if (reason === undefined) throw error;
        if (attempt === 3) throw new BusError(reason, stream.subject);
        if (reason === 'no_responders') await this.#remake(stream);
      }
    }
  }

  async #remake(stream: AnyStream): Promise<void> {
    await sleep(settleMs);
    await this.#ensureStream(stream).catch((error: unknown) => {
      this.#log.warn({ err: error, stream: stream.name }, 'a stream is missing and could not be made');
    });
  }

  async #manager(): Promise<JetStreamManager> {
    return this.#connection.jetstreamManager({ checkAPI: false, timeout: timeoutMs });
  }

  async #ensureStream(stream: AnyStream): Promise<void> {
    const { streams } = await this.#manager();
    const name = this.#nameOf(stream);
    const subject = this.#subjectOf(stream);
    const wanted: Partial<StreamConfig> & { name: string } = {
      name,
      subjects: [subject],
      ...streamShape,
      max_bytes: 1_073_741_824,
      duplicate_window: nanos(rememberedMs),
    };
    const info = await streams.info(name).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      // If another process was faster, the server answers with the stream that is there.
      return streams.add(wanted);
    });
    // Servers leave out what they do not understand without a word, so what they made is read back.
    expectShape(`stream ${name}`, info.config, { ...streamShape, subjects: [subject] });
  }

  async #ensureConsumer(stream: AnyStream, durable: string): Promise<void> {
    await this.#ensureStream(stream);
    const { consumers } = await this.#manager();
    const name = this.#nameOf(stream);
    const info = await consumers.info(name, durable).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return consumers.add(name, { durable_name: durable, ...consumerShape });
    });
    expectShape(`consumer ${durable} of ${name}`, info.config, { ...consumerShape, durable_name: durable });
  }

  async consume(
    stream: AnyStream,
    durable: string,
    handler: (batch: StreamRecord<unknown>[]) => Promise<void>,
  ): Promise<Stop> {
    await this.#ensureConsumer(stream, durable);
    const stopping = new AbortController();
    const batches = new Batches<Msg>(batchSize, batchMs, async (messages) => {
      try {
        await handler(messages.map(toRecord));
        for (const message of messages) this.#tell(message, '+ACK');
      } catch (error) {
        this.#log.error({ err: error, stream: stream.name, durable }, 'a batch failed');
        for (const message of messages) this.#tell(message, `-NAK {"delay": ${nanos(1_000)}}`);
      }
    });
    const pulling = this.#pullForEver(stream, durable, batches, stopping.signal);
    return async () => {
      stopping.abort();
      await pulling;
      // Somebody else shall have them now, not when the wait for our word is over.
      for (const message of await batches.stop()) this.#tell(message, '-NAK');
    };
  }

  async #pullForEver(stream: AnyStream, durable: string, batches: Batches<Msg>, stop: AbortSignal): Promise<void> {
    const pause = () => sleep(settleMs, undefined, { signal: stop }).catch(() => undefined);
    while (!stop.aborted && !this.#connection.isClosed()) {
      try {
        await batches.room();
        const end = await this.#pull(this.#nameOf(stream), durable, (message) => batches.push(message));
        if (end === 'over') continue;
        await pause();
        await this.#ensureConsumer(stream, durable);
      } catch (error) {
        if (this.#connected()) this.#log.warn({ err: error, stream: stream.name, durable }, 'consuming is interrupted');
        await pause();
      }
    }
  }

  /**
   * One request for messages, which arrive one by one until it is filled or runs out; never cut short, since what came
   * afterwards would lie unheard until its acknowledgement is overdue.
   */
  #pull(name: string, durable: string, take: (message: Msg) => void): Promise<'over' | 'gone'> {
    const inbox = createInbox(this.#inboxPrefix);
    return new Promise((resolve, reject) => {
      let received = 0;
      const end = (how: 'over' | 'gone') => {
        clearTimeout(timer);
        if (!subscription.isClosed()) subscription.unsubscribe();
        resolve(how);
      };
      const subscription = this.#connection.subscribe(inbox, {
        callback: (error, message) => {
          if (error) reject(error);
          // 404 and 408 say that there is nothing more, 409 and 503 that the consumer is not there.
          else if (message.subject === inbox) end((message.headers?.code ?? 0) > 408 ? 'gone' : 'over');
          else {
            take(message);
            if (++received === batchSize) end('over');
          }
        },
      });
      // A server that restarted has forgotten the request and says nothing.
      const timer = setTimeout(() => end('gone'), pullMs + timeoutMs);
      void subscription.closed.then(() => end('over'));
      const query = JSON.stringify({ batch: batchSize, expires: nanos(pullMs) });
      this.#connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${name}.${durable}`, query, { reply: inbox });
    });
  }

  #tell(message: Msg, what: string): void {
    if (!message.reply || this.#connection.isClosed()) return;
    this.#connection.publish(message.reply, what);
  }
}

/** A record that is no JSON is handed on as the text it is: it is the reader's to deal with, not the queue's to stop at. */
function toRecord(message: Msg): StreamRecord<unknown> {
  const text = Buffer.from(message.data).toString('utf8');
  const id = message.headers?.get('Nats-Msg-Id') || (message.reply ?? '');
  try {
    return { id, record: JSON.parse(text) };
  } catch {
    return { id, record: text };
  }
}

/** Why the server said nothing, if that is so; what it did say is its own error. */
function reasonOf(error: unknown): 'no_responders' | 'timeout' | undefined {
  if (!(error instanceof NatsError)) return undefined;
  if (error.code === '503') return 'no_responders';
  return error.code === 'TIMEOUT' ? 'timeout' : undefined;
}

function isNotFound(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.code === 404;
}

function expectShape(what: string, found: object, wanted: object): void {
  for (const [name, value] of Object.entries(wanted)) {
    const actual = (found as Record<string, unknown>)[name];
    if (JSON.stringify(actual) !== JSON.stringify(value)) {
      throw new Error(`The ${what} has ${name} ${JSON.stringify(actual)}, but needs ${JSON.stringify(value)}.`);
    }
  }
}
