import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import {
  askAudit,
  auditActivity,
  auditExport,
  auditQuery,
  auditState,
  auditUsage,
  auditVerify,
  events,
} from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import { argumentsHash, type Verifier, verifyPermit, verifyPrincipal } from '@cloudhal/shared/permit';
import { mustSeeAll, viewOfPermit, viewOfPrincipal } from './access.ts';
import { listActivity } from './activity.ts';
import { startArchive } from './archive.ts';
import { startCheckpointer } from './checkpointer.ts';
import { listEntries } from './entries.ts';
import { exportEntries } from './export-activity.ts';
import { startMaintenance } from './maintenance.ts';
import { readingRecorder, recordExport } from './reading.ts';
import { readState, recordVerifier } from './record-state.ts';
import { search } from './search.ts';
import { countUsage } from './usage.ts';

export type Deps = {
  bus: Bus;
  /** As the role of schema `audit`. */
  database: Database;
  log: Log;
  /** The public keys of the gateway, which signs principals. */
  principals: Verifier;
  /** The public keys of policy-service, which signs permits. */
  permits: Verifier;
  /** Ed25519, private. Without it no checkpoints are made. */
  checkpointKey?: KeyObject;
  /** The public keys of all that signed checkpoints before it. */
  checkpointKeys?: Verifier;
  /** Where the checkpoint files are written. */
  checkpointDir?: string;
};

/** Keeps the record: takes in what the other services write, signs it now and then, and answers who asks. */
export async function start(deps: Deps): Promise<Stop> {
  const { bus, database, log, principals, permits } = deps;
  const recordReading = readingRecorder(database);
  const verifier = recordVerifier({
    database,
    log,
    publicKeys: [
      ...(deps.checkpointKey === undefined ? [] : [createPublicKey(deps.checkpointKey)]),
      ...(deps.checkpointKeys?.values() ?? []),
    ],
    ...(deps.checkpointDir !== undefined && { checkpoints: deps.checkpointDir }),
    tell: () => bus.publish(events.auditArchived, { eventIds: [] }),
  });
  const everything = (token: string) => {
    const principal = verifyPrincipal(token, principals);
    mustSeeAll(principal);
    return principal;
  };
  const stops = [
    await startMaintenance({ database, log }),
    await startArchive({ bus, database, log }),
    await bus.answer(auditQuery, async ({ principal: token, ...filter }) => {
      const principal = verifyPrincipal(token, principals);
      const view = viewOfPrincipal(principal);
      await recordReading(principal, filter);
      return search(database, view, filter);
    }),
    await bus.answer(auditActivity, async ({ principal: token, ...filter }) => {
      const principal = verifyPrincipal(token, principals);
      const view = viewOfPrincipal(principal);
      await recordReading(principal, filter);
      return listEntries(database, view, filter);
    }),
    await bus.answer(auditExport, async ({ principal: token, ...query }) => {
      const principal = verifyPrincipal(token, principals);
      const view = viewOfPrincipal(principal);
      if (query.cursor === undefined) await recordExport(database, principal, query);
      return exportEntries(database, view, query);
    }),
    await bus.answer(auditUsage, async ({ principal, since }) => ({
      agents: await countUsage(database, viewOfPrincipal(verifyPrincipal(principal, principals)), since),
    })),
    await bus.answer(auditState, async ({ principal }) => {
      everything(principal);
      return readState(database);
    }),
    await bus.answer(auditVerify, async ({ principal }) => verifier.verify(everything(principal))),
    await bus.answer(askAudit, async ({ permit: token, arguments: args }) => {
      const permit = verifyPermit(token, permits);
      const fits = permit.tool === 'list_activity' && permit.argumentsHash === argumentsHash(args);
      if (!fits) throw fail('permit_invalid');
      return listActivity(database, viewOfPermit(permit), args);
    }),
  ];
  const stopCheckpointer = startCheckpoints(deps);
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await verifier.stop();
    // Last, over what came in until now.
    await stopCheckpointer();
  };
}

function startCheckpoints({ database, log, checkpointKey: key, checkpointDir: folder }: Deps): Stop {
  if (key !== undefined) return startCheckpointer({ database, log, key, ...(folder !== undefined && { folder }) });
  log.warn('without a checkpoint key nothing shows that the end of the record was cut off');
  return async () => undefined;
}
