import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Called, TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import type { Database } from '@cloudhal/shared/database';
import { type ErrorBody, errorTable } from '@cloudhal/shared/errors';
import { expect } from 'vitest';
import { saysNothingOfTheInside } from './inside.ts';

/** One change that an agent wants; its title is its own, so that the store can be asked how often it was made. */
export type Change = { tool: string; args: Record<string, unknown>; title: string; idempotencyKey: string };

/** What a client was told of one attempt. `unknown` is said by the server, or stands for a connection that broke. */
export type Told = Change & {
  verdict: 'applied' | 'not applied' | 'unknown';
  code?: string;
  callId?: string;
  snapshot?: string;
  result?: Called;
};

/** Keeps what clients were told, to be held against the store. */
export type Ledger = {
  told: Told[];
  /** Makes one attempt. */
  attempt(client: TestClient, change: Change): Promise<Told>;
  /** Repeats a change under its idempotency key until it is applied, or surely will not be; a few times at most. */
  pursue(client: TestClient, change: Change, attempts?: number): Promise<Told>;
  /** Fails where the store does not agree. Says how many of the changes are in it. */
  mustAgreeWith(database: Database): Promise<{ applied: number }>;
};

export function change(tool: string, title: string, args: Record<string, unknown>): Change {
  return { tool, args, title, idempotencyKey: randomUUID() };
}

export function openLedger(): Ledger {
  const told: Told[] = [];

  async function attempt(client: TestClient, wanted: Change): Promise<Told> {
    const { tool, args, idempotencyKey } = wanted;
    const heard = await client.call(tool, args, { meta: { 'cloudhal.idempotencyKey': idempotencyKey } }).then(
      (called) => verdictOf(called),
      (thrown: unknown) => verdictOfRefusal(thrown),
    );
    const line: Told = { ...wanted, ...heard };
    told.push(line);
    return line;
  }

  return {
    told,
    attempt,
    async pursue(client, wanted, attempts = 6) {
      for (let n = 1; ; n++) {
        const line = await attempt(client, wanted);
        const mayHelp = line.verdict === 'unknown' || isRetryable(line);
        if (line.verdict === 'applied' || !mayHelp || n === attempts) return line;
        await sleep(200 * n);
      }
    },
    mustAgreeWith: (database) => compare(database, told),
  };
}

/** Every answer is a result or an error of the table; anything else fails the test. */
export function verdictOf(called: Called): Pick<Told, 'verdict' | 'code' | 'callId' | 'snapshot' | 'result'> {
  if (!called.isError) {
    const { snapshot } = called.json as { snapshot?: string };
    return { verdict: 'applied', result: called, ...(snapshot !== undefined && { snapshot }) };
  }
  const { code, applied, call_id: callId } = called.json as unknown as ErrorBody;
  expect(Object.keys(errorTable), called.text).toContain(code);
  saysNothingOfTheInside(called.text);
  const verdict = applied === 'unknown' ? 'unknown' : applied === 'yes' ? 'applied' : 'not applied';
  return { verdict, code, ...(callId !== undefined && { callId }), result: called };
}

/** A request that was refused as a whole has a code, too. Where there is none the connection broke, and the client knows nothing. */
export function verdictOfRefusal(thrown: unknown): Pick<Told, 'verdict' | 'code'> {
  const [text] = /\{.*\}/s.exec(String(thrown)) ?? [];
  const code =
    text === undefined ? undefined : (JSON.parse(text) as { error?: { data?: ErrorBody } }).error?.data?.code;
  if (code === undefined) return { verdict: 'unknown', code: 'connection' };
  saysNothingOfTheInside(text!);
  expect(Object.keys(errorTable), text).toContain(code);
  return { verdict: 'not applied', code };
}

function isRetryable({ code = '' }: Told): boolean {
  return (errorTable as Record<string, { retryable?: boolean }>)[code]?.retryable === true;
}

async function compare(database: Database, told: readonly Told[]): Promise<{ applied: number }> {
  const snapshots = await database.query<{ id: string; call_id: string }>(
    `SELECT id, call_id FROM tools.snap WHERE reason <> 'siteCreated'`,
  );
  const ids = new Set(snapshots.map(({ id }) => id));
  const calls = new Set(snapshots.map(({ call_id }) => call_id));
  const applied = told.filter(({ verdict }) => verdict === 'applied');
  expect(
    applied.filter(({ snapshot }) => !ids.has(snapshot ?? '')),
    'told to be applied, and not in the store',
  ).toEqual([]);
  expect(
    told.filter(({ verdict, callId }) => verdict === 'not applied' && calls.has(callId ?? '')),
    'told not to be applied, and in the store',
  ).toEqual([]);

  // However often a change was repeated, it is one: every telling of it names the same snapshot.
  for (const lines of byTitle(told).values()) {
    expect(new Set(lines.flatMap(({ snapshot }) => snapshot ?? [])).size, JSON.stringify(lines[0])).toBeLessThanOrEqual(
      1,
    );
  }
  await compareTitles(database, told);

  // What nobody was told of is only what somebody was left in doubt about.
  const doubtful = [...byTitle(told).values()].filter(
    (lines) =>
      lines.some(({ verdict }) => verdict === 'unknown') && !lines.some(({ verdict }) => verdict === 'applied'),
  );
  const named = new Set(applied.map(({ snapshot }) => snapshot));
  expect(snapshots.filter(({ id }) => !named.has(id)).length).toBeLessThanOrEqual(doubtful.length);
  return { applied: named.size };
}

/** Each title is in the draft's history once, or, where the change was not applied, never. */
async function compareTitles(database: Database, told: readonly Told[]): Promise<void> {
  const rows = await database.query<{ title: string; times: number }>(
    `SELECT title, count(*)::int AS times FROM tools.ver WHERE track = 'draft' AND kind = 'entry' GROUP BY title`,
  );
  const times = new Map(rows.map((row) => [row.title, row.times]));
  for (const [title, lines] of byTitle(told.filter(({ tool }) => tool !== 'publish'))) {
    const found = times.get(title) ?? 0;
    const verdicts = new Set(lines.map(({ verdict }) => verdict));
    const right = verdicts.has('applied') ? [1] : verdicts.has('unknown') ? [0, 1] : [0];
    expect(right, `"${title}" is in the store ${found} times; told: ${[...verdicts]}`).toContain(found);
  }
}

function byTitle(told: readonly Told[]): Map<string, Told[]> {
  const groups = new Map<string, Told[]>();
  for (const line of told) groups.set(line.title, [...(groups.get(line.title) ?? []), line]);
  return groups;
}
