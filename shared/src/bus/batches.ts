/** Gathers items and hands them on in batches, one batch at a time: at most `max`, or what came within `waitMs`. */
export class Batches<T> {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #work: (batch: T[]) => Promise<void>;
  #items: T[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #onRoom: (() => void) | undefined;

  /** `work` must not reject: what fails in it is its own to deal with. */
  constructor(max: number, waitMs: number, work: (batch: T[]) => Promise<void>) {
    this.#max = max;
    this.#waitMs = waitMs;
    this.#work = work;
  }

  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length >= this.#max) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#waitMs);
  }

  /** Resolves once fewer items than one batch wait. */
  async room(): Promise<void> {
    while (this.#items.length >= this.#max) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    while (this.#items.length > 0) {
      await this.#work(this.#items.splice(0, this.#max));
      this.#onRoom?.();
    }
  }

  /** Takes back what no batch has begun with, and waits for the one that runs. */
  async stop(): Promise<T[]> {
    clearTimeout(this.#timer);
    const left = this.#items.splice(0);
    await this.#running;
    return left;
  }
}
