import type { KeyObject } from 'node:crypto';
import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { askAudit, auditQuery } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import { argumentsHash, type Verifier, verifyPermit, verifyPrincipal } from '@cloudhal/shared/permit';
import { viewOfPermit, viewOfPrincipal } from './access.ts';
import { listActivity } from './activity.ts';
import { startArchive } from './archive.ts';
import { startCheckpointer } from './checkpointer.ts';
import { startMaintenance } from './maintenance.ts';
import { readingRecorder } from './reading.ts';
import { search } from './search.ts';

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
  /** Where the checkpoint files are written. */
  checkpointDir?: string;
};

/** Keeps the record: takes in what the other services write, signs it now and then, and answers who asks. */
export async function start(deps: Deps): Promise<Stop> {
  const { bus, database, log, principals, permits } = deps;
  const recordReading = readingRecorder(database);
  const stops = [
    await startMaintenance({ database, log }),
    await startArchive({ bus, database, log }),
    await bus.answer(auditQuery, async ({ principal: token, ...filter }) => {
      const principal = verifyPrincipal(token, principals);
      const view = viewOfPrincipal(principal);
      await recordReading(principal, filter);
      return search(database, view, filter);
    }),
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
    // Last, over what came in until now.
    await stopCheckpointer();
  };
}

function startCheckpoints({ database, log, checkpointKey: key, checkpointDir: folder }: Deps): Stop {
  if (key !== undefined) return startCheckpointer({ database, log, key, ...(folder !== undefined && { folder }) });
  log.warn('without a checkpoint key nothing shows that the end of the record was cut off');
  return async () => undefined;
}
