import type { Bus } from '@cloudhal/shared/bus/bus';
import type { Database } from '@cloudhal/shared/database';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import type { Log } from '@cloudhal/shared/log';
import type { Signer, Verifier } from '@cloudhal/shared/permit';
import type { PersonAttested } from '@cloudhal/shared/policy';

export type Settings = {
  /** Who answers approvals; a site or a key can only be stricter. */
  personAttested: PersonAttested;
  /** Whether clients that cannot elicit get a `confirmToken`; a site or a key can only say no. */
  confirmTokenFallback: boolean;
  /** How long an approval waits for an answer. */
  pendingMs: number;
  /** How long an approved call may still be made. */
  approvedMs: number;
  /** How long a request state or confirm token is good. */
  tokenMs: number;
  /** Approvals that one key may have waiting. */
  maxPending: number;
  sweepEveryMs: number;
  /** After this long a call whose end was not heard of can no longer be applied: permit, budget and some grace. */
  settleAfterMs: number;
  /** How long deciding may take; what takes longer is refused. */
  decideWithinMs: number;
};

export const defaultSettings: Settings = {
  personAttested: 'off',
  confirmTokenFallback: true,
  pendingMs: 24 * 3_600_000,
  approvedMs: 10 * 60_000,
  tokenMs: 10 * 60_000,
  maxPending: 20,
  sweepEveryMs: 5_000,
  settleAfterMs: 80_000,
  decideWithinMs: 5_000,
};

export type Deps = {
  bus: Bus;
  keyValue: KeyValue;
  /** As the role of schema `policy`. */
  database: Database;
  log: Log;
  /** Signs permits. */
  signer: Signer;
  /** The public keys of permits, this service's own. */
  permits: Verifier;
  /** The public keys of the gateway, which signs principals. */
  principals: Verifier;
  /** Wraps the token ring and the arguments of approvals; 32 bytes. */
  kek: Buffer;
  settings?: Partial<Settings>;
};

/**
 * The version of the rules: grows whenever a file of this room decides otherwise than before. It is in every permit and
 * event, and an approval asked under another version is judged anew before it is used.
 */
export const policyVersion = '1';
