import type { Summary } from '@cloudhal/shared/contracts';
import type { Base } from '@cloudhal/shared/permit';
import type { Effect, Mode, Principal } from '@cloudhal/shared/policy';
import type { Static } from 'typebox';

/**
 * pending → approved | rejected | expired | withdrawn | stale | revoked; approved → consumed | expired | stale | revoked;
 * consumed → succeeded | failed | stale, or approved again where the call was given up without effect.
 */
export const approvalStates = [
  'pending',
  'approved',
  'rejected',
  'expired',
  'withdrawn',
  'stale',
  'revoked',
  'consumed',
  'succeeded',
  'failed',
  'aborted',
] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** States that lead nowhere: the arguments are erased with them. */
export const endStates: readonly ApprovalState[] = [
  'rejected',
  'expired',
  'withdrawn',
  'stale',
  'revoked',
  'succeeded',
  'failed',
  'aborted',
];

/** How it was answered. The first two are attested by the client alone, the last by a signed-in person. */
export type Channel = 'elicitation' | 'confirm_token' | 'studio';

export type Approval = {
  id: string;
  principal: Principal;
  keyId: string | null;
  /** '' where the call concerns no site. */
  site: string;
  tool: string;
  schemaHash: string;
  argumentsHash: string;
  sealedArguments: string | null;
  summary: Static<typeof Summary>;
  reason: string;
  /** The state of the site that the summary was made from. */
  base: Base;
  skill: { name: string; digest: string } | null;
  mode: Mode;
  effect: Effect;
  policyVersion: string;
  client: { name?: string; version?: string } | null;
  idempotencyKey: string | null;
  state: ApprovalState;
  createdAt: Date;
  expiresAt: Date;
  decidedBy: string | null;
  decidedVia: Channel | null;
  decidedAt: Date | null;
  rejectReason: string | null;
  consumedCallId: string | null;
  consumedAt: Date | null;
  toldAt: Date | null;
};

export const approvalColumns = `id, principal, key_id AS "keyId", site, tool, tool_schema_hash AS "schemaHash",
  args_hash AS "argumentsHash", sealed_args AS "sealedArguments", summary, reason, base, skill, mode, effect,
  policy_version AS "policyVersion", client, idempotency_key AS "idempotencyKey", state, created_at AS "createdAt",
  expires_at AS "expiresAt", decided_by AS "decidedBy", decided_via AS "decidedVia", decided_at AS "decidedAt",
  reject_reason AS "rejectReason", consumed_call_id AS "consumedCallId", consumed_at AS "consumedAt",
  told_at AS "toldAt"`;
