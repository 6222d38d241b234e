import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

type Handler = (payload: string) => void;

/**
 * One connection that listens on any number of channels and comes back by itself. What is notified while it is away is
 * lost: listeners must do without hearing everything.
 */
export class Listener {
  readonly #config: pg.ClientConfig;
  readonly #handlers = new Map<string, Set<Handler>>();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  async listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const handlers = this.#handlers.get(channel) ?? new Set();
    const isNew = handlers.size === 0;
    handlers.add(handler);
    this.#handlers.set(channel, handlers);
    if (!this.#client) await this.#connect();
    else if (isNew) await this.#client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    this.#running ??= this.#keepAlive();
    return async () => {
      handlers.delete(handler);
      if (handlers.size > 0 || !this.#handlers.delete(channel)) return;
      await this.#client?.query(`UNLISTEN ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#config);
    const forget = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    client.on('notification', ({ channel, payload }) => {
      for (const handler of this.#handlers.get(channel) ?? []) handler(payload ?? '');
    });
    await client.connect();
    this.#client = client;
    for (const channel of this.#handlers.keys()) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  }

  /** A question now and then: a connection that died silently would look merely quiet. */
  async #keepAlive(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        if (this.#client) await this.#client.query('SELECT 1');
        else await this.#connect();
      } catch {
        const broken = this.#client;
        this.#client = undefined;
        void broken?.end().catch(() => undefined);
      }
      await sleep(this.#client ? 5_000 : 500, undefined, { signal }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#client?.end().catch(() => undefined);
  }
}
