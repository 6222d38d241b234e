import type { Checkpoint } from './checkpoint.ts';
import { readNotes } from './checkpoint-files.ts';
import { openCheckpoints } from './checkpoint-list.ts';
import type { ExportHeader } from './export.ts';
import { type ChainReport, parseEvent, type Report, type VerifyOptions } from './verify.ts';
import { ChainWalk, type Line, type Problem } from './walk.ts';

export type VerifyExportOptions = Pick<VerifyOptions, 'checkpoints' | 'publicKeys' | 'graceMs'>;

/**
 * Verifies an export (JSON Lines) without the database. Checkpoint files that are given take the place of the checkpoints
 * in the export: whoever could change it could have left some out.
 */
export async function verifyExport(
  lines: Iterable<string> | AsyncIterable<string>,
  options: VerifyExportOptions = {},
): Promise<Report> {
  let header: ExportHeader | undefined;
  const notes = options.checkpoints === undefined ? new Map<string, string[]>() : await readNotes(options.checkpoints);
  const chains = new Map<string, ExportedChain>();
  const chainOf = (name: string) => {
    const chain = chains.get(name) ?? new ExportedChain(name, notes.get(name) ?? [], header!, options);
    chains.set(name, chain);
    return chain;
  };
  for await (const text of lines) {
    if (header === undefined) {
      header = parseHeader(text);
      continue;
    }
    // A line that is neither is passed over: what is missing for it shows in the chain.
    const event = parseEventLine(text);
    if (event !== undefined) chainOf(event.chain).take(event.line);
    const note = event === undefined && options.checkpoints === undefined ? parseNoteLine(text) : undefined;
    if (note !== undefined) notes.set(note.chain, [...(notes.get(note.chain) ?? []), note.checkpoint]);
  }
  if (header === undefined) throw new Error('This is not an export of the record: it has no first line.');
  // Also those of which the export says nothing, but a checkpoint does.
  const expected = [...Object.keys(header.heads), ...notes.keys()];
  for (const name of expected) if (header.site === undefined || header.site === name) chainOf(name);
  const reports = [...chains.values()].map((chain) => chain.end()).sort((a, b) => (a.chain < b.chain ? -1 : 1));
  return { ok: reports.every((report) => report.problem === undefined), chains: reports };
}

class ExportedChain {
  readonly #name: string;
  readonly #header: ExportHeader;
  readonly #walk: ChainWalk;
  readonly #checkpoints: Checkpoint[];
  readonly #badCheckpoint: Problem | undefined;
  readonly #ids = new Set<string>();
  #events = 0;
  #problem: Problem | undefined;

  constructor(name: string, notes: readonly string[], header: ExportHeader, options: VerifyExportOptions) {
    const { publicKeys = [], graceMs } = options;
    const { checkpoints, problem } = openCheckpoints(name, publicKeys.length === 0 ? [] : notes, publicKeys);
    this.#name = name;
    this.#header = header;
    this.#checkpoints = checkpoints;
    this.#badCheckpoint = problem;
    this.#walk = new ChainWalk({
      checkpoints,
      partial: header.partial,
      now: Date.parse(header.at),
      ...(graceMs !== undefined && { graceMs }),
    });
  }

  take(line: Line): void {
    if (this.#problem !== undefined) {
      // What seemed to be missing comes later.
      const late = this.#problem.kind === 'gap' && this.#problem.seq === line.seq;
      if (late) this.#problem = { ...this.#problem, kind: 'reordered', detail: 'it stands further down' };
      return;
    }
    const event = parseEvent(line.body);
    this.#problem = this.#walk.take(line, event);
    if (this.#problem === undefined && event !== undefined && this.#ids.has(event.event_id)) {
      this.#problem = { seq: line.seq, kind: 'duplicate_event', detail: 'the same event stands further up' };
    }
    if (this.#problem !== undefined) return;
    this.#ids.add(event!.event_id);
    this.#events++;
  }

  end(): ChainReport {
    const head = Object.hasOwn(this.#header.heads, this.#name) ? this.#header.heads[this.#name] : undefined;
    const known = head && { seq: head.seq, hash: Buffer.from(head.hash, 'hex') };
    const problem = this.#problem ?? this.#walk.end(known) ?? this.#badCheckpoint;
    const { from, to } = this.#header.partial;
    return {
      chain: this.#name,
      events: this.#events,
      head: this.#walk.seq,
      checkpoints: this.#checkpoints.length,
      ...((from || to) && { partial: true }),
      ...(problem !== undefined && { problem }),
    };
  }
}

function parseHeader(text: string): ExportHeader {
  const header = parseJson(text) as ExportHeader | undefined;
  if (header?.export !== 'cloudhal.audit' || header.v !== 1) throw new Error('This is not an export of the record.');
  return header;
}

/** The text of the event as it stands, since its bytes are what was hashed. */
function parseEventLine(text: string): { chain: string; line: Line } | undefined {
  const at = text.indexOf(',"event":');
  const facts = at < 0 ? undefined : (parseJson(`${text.slice(0, at)}}`) as Record<string, unknown> | undefined);
  if (typeof facts?.chain !== 'string' || typeof facts.seq !== 'number' || !text.endsWith('}')) return undefined;
  const bytes = (value: unknown) => Buffer.from(String(value), 'hex');
  const body = text.slice(at + ',"event":'.length, -1);
  return { chain: facts.chain, line: { seq: facts.seq, prev: bytes(facts.prev), hash: bytes(facts.hash), body } };
}

function parseNoteLine(text: string): { chain: string; checkpoint: string } | undefined {
  const line = parseJson(text) as { chain?: unknown; checkpoint?: unknown } | undefined;
  if (typeof line?.chain !== 'string' || typeof line.checkpoint !== 'string') return undefined;
  return { chain: line.chain, checkpoint: line.checkpoint };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
