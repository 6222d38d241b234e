import { type Static, Type } from 'typebox';

/** One line of the record. The canonical JSON of this object is what the chain hashes. */
export const AuditEvent = Type.Object({
  v: Type.Literal(1),
  /** UUIDv7. */
  event_id: Type.String(),
  /** `attempted`, `outcome`, `read`, `decision`, `approval.*`, `elevation.*`, `auth.*`, `key.*`, `config.*`, `integrity.*` */
  type: Type.String(),
  call_id: Type.Optional(Type.String()),
  tenant: Type.String(),
  /** The site's id; `_deployment` for what concerns none. Each has a chain of its own. */
  site: Type.String(),
  actor: Type.Object({
    type: Type.String(),
    id: Type.String(),
    name: Type.Optional(Type.String()),
    key_id: Type.Optional(Type.String()),
    key_gen: Type.Optional(Type.Integer()),
    on_behalf_of: Type.Optional(Type.String()),
  }),
  client: Type.Optional(Type.Object({ name: Type.Optional(Type.String()), version: Type.Optional(Type.String()) })),
  skill: Type.Optional(Type.Object({ name: Type.String(), digest: Type.String() })),
  tool: Type.Optional(Type.String()),
  mode: Type.Optional(Type.String()),
  scopes_used: Type.Optional(Type.Array(Type.String())),
  decision: Type.Optional(
    Type.Object({ result: Type.String(), rule: Type.String(), policy_version: Type.Optional(Type.String()) }),
  ),
  approval: Type.Optional(
    Type.Object({
      id: Type.String(),
      channel: Type.Optional(Type.String()),
      decided_by: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String()),
    }),
  ),
  args_hash: Type.Optional(Type.String()),
  args_redacted: Type.Optional(Type.Unknown()),
  targets: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        rev_before: Type.Optional(Type.Integer()),
        rev_after: Type.Optional(Type.Integer()),
      }),
    ),
  ),
  snapshot_id: Type.Optional(Type.String()),
  outcome: Type.Optional(
    Type.Object({
      state: Type.String(),
      code: Type.Optional(Type.String()),
      duration_ms: Type.Optional(Type.Number()),
    }),
  ),
  note: Type.Optional(Type.String()),
  details: Type.Optional(Type.Unknown()),
  /** ISO 8601, UTC, of the service that wrote it. */
  ts: Type.String(),
  service: Type.String(),
});
export type AuditEvent = Static<typeof AuditEvent>;

/** The chain of events that concern no site. */
export const deploymentChain = '_deployment';
