import type { Bus } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';
import { CommitUnknownError, type Database, type Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { KeyRing } from '@cloudhal/shared/key-ring';
import type { Log } from '@cloudhal/shared/log';
import type { OutboxRelay } from '@cloudhal/shared/outbox';
import type { Signer, Verifier } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import type { ApprovalState } from './approvals/approval.ts';
import type { Tools } from './catalogue.ts';
import type { Skills } from './declared-skill.ts';
import type { Settings } from './deps.ts';
import type { ElevationState } from './elevations/elevation.ts';
import type { KeyStates } from './key-state.ts';
import type { Sites } from './sites.ts';

/** What every part of this service works with, opened once at the start. */
export type Room = {
  bus: Bus;
  database: Database;
  log: Log;
  settings: Settings;
  signer: Signer;
  permits: Verifier;
  kek: Buffer;
  readPrincipal(token: string): Principal;
  keys: KeyStates;
  tools: Tools;
  sites: Sites;
  skills: Skills;
  ring: KeyRing;
  relay: OutboxRelay;
};

/** A transaction, and what its commit tells the world. */
export type Tx = Queryable & {
  moved: { id: string; state: ApprovalState }[];
  elevated: { id: string; state: ElevationState }[];
};

/** Runs one transaction, then says which approvals and elevations it moved. A commit that got lost counts as not made: nothing follows it. */
export async function change<T>(room: Room, work: (tx: Tx) => Promise<T>): Promise<T> {
  const moved: Tx['moved'] = [];
  const elevated: Tx['elevated'] = [];
  try {
    const result = await room.database.transaction((tx) => work({ query: tx.query, moved, elevated }));
    for (const approval of moved) room.bus.publish(events.approvalsChanged, approval);
    for (const elevation of elevated) room.bus.publish(events.elevationsChanged, elevation);
    room.relay.wake();
    return result;
  } catch (error) {
    throw error instanceof CommitUnknownError ? fail('storage_unavailable') : error;
  }
}
