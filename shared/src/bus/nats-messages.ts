import { context, propagation } from '@opentelemetry/api';
import { type Msg, type MsgHdrs, headers as natsHeaders } from 'nats';

const budgetHeader = 'budget-ms';
const answerToHeader = 'answer-to';

type Received = Pick<Msg, 'data' | 'headers' | 'reply'>;

export function textOf(msg: Received): string {
  return Buffer.from(msg.data.buffer, msg.data.byteOffset, msg.data.byteLength).toString('utf8');
}

/** The server's word that nobody listens on a subject. */
export function isUndelivered(msg: Received): boolean {
  return msg.data.length === 0 && msg.headers?.code === 503;
}

/** The headers of a question: what is left of the budget, the trace, and who is answered if not the sender. */
export function headersOf(budgetMs: number, answerTo?: string): MsgHdrs {
  const headers = natsHeaders();
  headers.set(budgetHeader, String(budgetMs));
  if (answerTo !== undefined) headers.set(answerToHeader, answerTo);
  propagation.inject(context.active(), headers, { set: (carrier, key, value) => carrier.set(key, value) });
  return headers;
}

/** Runs within the trace that a question belongs to. */
export function inTraceOf(msg: Received, work: () => void): void {
  const active = context.active();
  context.with(msg.headers ? propagation.extract(active, msg.headers, getter) : active, work);
}

const getter = {
  keys: (carrier: MsgHdrs) => carrier.keys(),
  get: (carrier: MsgHdrs, key: string) => carrier.get(key) || undefined,
};

/** Where the answer goes. Anyone may name any subject there; only an inbox is taken, lest an answer become a command. */
export function answerToOf(msg: Received): string | undefined {
  const named = msg.headers?.get(answerToHeader) || msg.reply || '';
  return /^_INBOX_[A-Za-z0-9_-]+\.[A-Za-z0-9._-]+$/.test(named) ? named : undefined;
}

/** What is left to the asker; one that says nothing sensible gets half a minute. */
export function budgetOf({ headers }: Received): number {
  const budget = Number(headers?.get(budgetHeader));
  return Number.isFinite(budget) && budget > 0 ? Math.min(budget, 600_000) : 30_000;
}
