import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type AuditEvent, deploymentChain } from '@cloudhal/shared/audit-event';
import type { RecordState } from '@cloudhal/shared/contracts';
import type { Database, Queryable } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';
import { auditEvent } from '@cloudhal/shared/outbox';
import type { Principal } from '@cloudhal/shared/policy';
import type { Static } from 'typebox';
import { appendEvents } from './append.ts';
import { ownService } from './entry.ts';
import { showNames } from './names.ts';
import { type Report, verifyRecord } from './verify.ts';

type State = Static<typeof RecordState>;
type Verified = NonNullable<State['verified']>;

export type VerifierDeps = {
  database: Database;
  log: Log;
  /** What checkpoints are signed with; without it only the chains are recomputed. Where their files are, once there are some. */
  publicKeys: readonly KeyObject[];
  checkpoints?: string;
  /** Tells who watches that the record says something new of itself. */
  tell(): void;
};

/** An attempt to verify that is older has died. */
const givenUpMinutes = 15;
const mostProblems = 20;
/** How long a request waits before it answers that it takes longer. */
const waitMs = 4_000;

/** How the record stands, by its own lines: it is part of the record when it was verified, by whom, and what was found. */
export async function readState(database: Queryable): Promise<State> {
  const [sums] = await database.query<{ chains: number; events: number; at: string | null; unsigned: number }>(
    `SELECT count(*)::int AS chains, coalesce(sum(h.seq), 0)::bigint AS events, max(c.at) AS at,
       coalesce(sum(h.seq - coalesce(c.seq, 0)), 0)::bigint AS unsigned
     FROM audit.head h LEFT JOIN LATERAL
       (SELECT seq, at FROM audit.checkpoint WHERE part = h.part ORDER BY seq DESC LIMIT 1) c ON true`,
  );
  const rows = await database.query<{ body: string; recent: boolean }>(
    `SELECT body, ts > now() - make_interval(mins => ${givenUpMinutes}) AS recent FROM audit.event
     WHERE part = $1 AND type IN ('audit.verify', 'audit.verified') ORDER BY ts DESC, seq DESC LIMIT 20`,
    [deploymentChain],
  );
  const lines = rows.map(({ body }) => JSON.parse(body) as AuditEvent);
  const found = lines.findIndex(({ type }) => type === 'audit.verified');
  const [event] = found < 0 ? [] : await showNames(database, [lines[found]!]);
  const { chains = 0, events = 0, at, unsigned = 0 } = sums ?? {};
  return {
    chains,
    events,
    ...(at && { checkpoint: { at: new Date(at).toISOString(), unsigned } }),
    verifying: lines[0]?.type === 'audit.verify' && rows[0]!.recent,
    ...(event && { verified: verifiedOf(event) }),
  };
}

function verifiedOf({ ts, actor, details }: AuditEvent): Verified {
  return { ...(details as Omit<Verified, 'at' | 'by'>), at: ts, ...(actor.name !== undefined && { by: actor.name }) };
}

export type RecordVerifier = {
  /** Recomputes the record for somebody who may see all of it; one at a time in this process. */
  verify(principal: Principal): Promise<State>;
  stop(): Promise<void>;
};

/** Verifies on demand, beside everything else, and puts into the record what it found. */
export function recordVerifier(deps: VerifierDeps): RecordVerifier {
  const { database, log, tell } = deps;
  let running: Promise<void> | undefined;

  async function run({ id, kind, name }: Principal): Promise<void> {
    const line = (type: string, details?: object) =>
      auditEvent(ownService, {
        type,
        site: deploymentChain,
        actor: { type: kind, id, name },
        ...(details && { details }),
      });
    await appendEvents(database, line('audit.verify'));
    const { publicKeys, checkpoints = '' } = deps;
    const report = await verifyRecord(database, { publicKeys, ...(existsSync(checkpoints) && { checkpoints }) });
    if (!report.ok) log.error({ chains: report.chains.filter(({ problem }) => problem) }, 'the record is not whole');
    await appendEvents(database, line('audit.verified', summaryOf(report)));
    tell();
  }

  return {
    async verify(principal) {
      running ??= run(principal)
        .catch((error: unknown) => log.error({ err: error }, 'the record could not be verified'))
        .finally(() => {
          running = undefined;
        });
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        running,
        new Promise((resolve) => {
          timer = setTimeout(resolve, waitMs);
        }),
      ]);
      clearTimeout(timer);
      return readState(database);
    },
    async stop() {
      await running;
    },
  };
}

function summaryOf({ ok, chains }: Report): Omit<Verified, 'at' | 'by'> {
  const sum = (count: 'events' | 'checkpoints') => chains.reduce((all, chain) => all + chain[count], 0);
  const problems = chains.flatMap(({ chain, problem }) => (problem ? [{ chain, ...problem }] : []));
  return {
    ok,
    chains: chains.length,
    events: sum('events'),
    checkpoints: sum('checkpoints'),
    problems: problems.slice(0, mostProblems),
  };
}
