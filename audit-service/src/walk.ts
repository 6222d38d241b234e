import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { eventHash, genesis, merkleRoot } from './chain.ts';
import type { Checkpoint } from './checkpoint.ts';
import { timeOf } from './columns.ts';
import { ownService } from './entry.ts';

/** A row of a chain as it is stored or exported. */
export type Line = { seq: number; prev: Buffer; hash: Buffer; body: string };

export type ProblemKind =
  | 'body_changed'
  | 'gap'
  | 'reordered'
  | 'fork'
  | 'head_mismatch'
  | 'checkpoint_sig'
  | 'truncated_after_checkpoint'
  | 'missing_outcome'
  | 'duplicate_event';

/** The first thing in a chain that is not as it was appended. */
export type Problem = { seq: number; kind: ProblemKind; detail: string };

export type WalkOptions = {
  /** The event before the first one, where that is known from elsewhere. */
  start?: { seq: number; hash: Buffer };
  /** Of this chain, signatures already checked, by seq. */
  checkpoints?: readonly Checkpoint[];
  /** The walk may start or end inside the chain: then only what is between can be judged. */
  partial?: { from?: boolean; to?: boolean };
  /** An attempt without an outcome is a problem after this long. */
  graceMs?: number;
  /** What "after" is measured by, in milliseconds since 1970. */
  now?: number;
};

/** Goes through a chain once, in order, and recomputes everything in it. Holds no more than a segment and the open attempts. */
export class ChainWalk {
  readonly #options: WalkOptions;
  readonly #checkpoints: readonly Checkpoint[];
  #first = 1;
  #seq = 0;
  #hash = genesis;
  #nextCheckpoint = 0;
  #segment: Buffer[] = [];
  readonly #attempts = new Map<string, { seq: number; at: number }>();
  readonly #earlyOutcomes = new Set<string>();
  /** The chain's beginning was dropped; an event further on has to say so. */
  #dropped: { seq: number; head: string } | undefined;

  constructor(options: WalkOptions = {}) {
    this.#options = options;
    this.#checkpoints = options.checkpoints ?? [];
    if (options.start === undefined) return;
    this.#seq = options.start.seq;
    this.#hash = options.start.hash;
    this.#first = options.start.seq + 1;
  }

  get seq(): number {
    return this.#seq;
  }

  get hash(): Buffer {
    return this.#hash;
  }

  /** Takes the next line; `event` is its parsed body, if it is JSON at all. */
  take(line: Line, event: AuditEvent | undefined): Problem | undefined {
    if (this.#seq === 0 && line.seq > 1) this.#startAt(line);
    const wrong = this.#checkLine(line);
    if (wrong !== undefined) return wrong;
    if (event === undefined) return problem(line.seq, 'body_changed', 'it is not an event');
    this.#seq = line.seq;
    this.#hash = line.hash;
    this.#noteEvent(line.seq, event);
    return this.#checkCheckpoint();
  }

  #startAt({ seq, prev }: Line): void {
    this.#first = seq;
    this.#seq = seq - 1;
    this.#hash = prev;
    if (!this.#options.partial?.from) this.#dropped = { seq: seq - 1, head: prev.toString('hex') };
    while (this.#checkpoints[this.#nextCheckpoint] && this.#checkpoints[this.#nextCheckpoint]!.seq < seq) {
      this.#nextCheckpoint++;
    }
  }

  #checkLine({ seq, prev, hash, body }: Line): Problem | undefined {
    const expected = this.#seq + 1;
    if (seq > expected) return problem(expected, 'gap', `the next event is ${seq}`);
    if (seq < expected) return problem(seq, 'fork', 'there are two events of this number');
    const itself = eventHash(prev, seq, body).equals(hash);
    if (!prev.equals(this.#hash)) {
      if (itself) return problem(seq, 'fork', 'it builds on another event than the one before it');
      return problem(seq, 'reordered', 'it was appended under another number');
    }
    return itself ? undefined : problem(seq, 'body_changed', 'its hash is that of another text');
  }

  #noteEvent(seq: number, event: AuditEvent): void {
    const { type, call_id: call, details, service } = event;
    if (type === 'attempted' && call !== undefined && !this.#earlyOutcomes.delete(call)) {
      this.#attempts.set(call, { seq, at: timeOf(event) });
    }
    if (type === 'outcome' && call !== undefined && !this.#attempts.delete(call)) this.#earlyOutcomes.add(call);
    if (type === 'retention' && service === ownService && this.#dropped !== undefined) {
      const said = details as { seq?: unknown; head?: unknown } | undefined;
      if (said?.seq === this.#dropped.seq && said.head === this.#dropped.head) this.#dropped = undefined;
    }
  }

  #checkCheckpoint(): Problem | undefined {
    const checkpoint = this.#checkpoints[this.#nextCheckpoint];
    if (checkpoint === undefined) return undefined;
    if (this.#seq >= checkpoint.from) this.#segment.push(this.#hash);
    if (checkpoint.seq !== this.#seq) return undefined;
    this.#nextCheckpoint++;
    const segment = this.#segment;
    this.#segment = [];
    const whole = checkpoint.from >= this.#first;
    const same = checkpoint.head.equals(this.#hash) && (!whole || merkleRoot(segment).equals(checkpoint.root));
    if (same) return undefined;
    const detail = `the events up to ${checkpoint.seq} are not those that were signed at ${checkpoint.at}`;
    return problem(Math.max(checkpoint.from, this.#first), 'fork', detail);
  }

  /** To be called after the last line, with the chain's head as it is kept beside the chain. */
  end(head: { seq: number; hash: Buffer } | undefined): Problem | undefined {
    const next = this.#seq + 1;
    if (!this.#options.partial?.to) {
      const missing = this.#checkpoints.at(-1);
      if (missing !== undefined && missing.seq > this.#seq) {
        const detail = `the events up to ${missing.seq}, signed at ${missing.at}, are gone`;
        return problem(next, 'truncated_after_checkpoint', detail);
      }
      if (head?.seq !== this.#seq || !head.hash.equals(this.#hash)) {
        const seq = head?.seq === this.#seq ? head.seq : Math.min(next, (head?.seq ?? 0) + 1);
        return problem(seq, 'head_mismatch', `the last event is ${this.#seq}, the head says ${head?.seq ?? 'nothing'}`);
      }
    }
    if (this.#dropped !== undefined) {
      return problem(1, 'gap', `the first event is ${this.#first}, and no event tells of a retention up to there`);
    }
    return this.#missingOutcome();
  }

  #missingOutcome(): Problem | undefined {
    const { graceMs = 300_000, now = Date.now(), partial } = this.#options;
    if (partial?.to) return undefined;
    for (const { seq, at } of this.#attempts.values()) {
      if (at < now - graceMs) return problem(seq, 'missing_outcome', 'the attempt has no outcome');
    }
    return undefined;
  }
}

function problem(seq: number, kind: ProblemKind, detail: string): Problem {
  return { seq, kind, detail };
}
