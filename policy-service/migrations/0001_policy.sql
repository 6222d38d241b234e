-- Events that wait to be archived; see shared/src/outbox.ts.
CREATE TABLE policy.outbox (
  event_id uuid PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  event jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz,
  archived_at timestamptz
);
CREATE INDEX outbox_unarchived ON policy.outbox (seq) WHERE archived_at IS NULL;

-- The durable copy of the ring that seals approval tokens; see shared/src/key-ring.ts.
CREATE TABLE policy.key_ring (
  name text PRIMARY KEY,
  sealed text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- What an owner changed; the rest is in site-rules.ts.
CREATE TABLE policy.site_rules (
  site text PRIMARY KEY,
  rules jsonb NOT NULL,
  updated_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Decisions that were not an allow, by call: a call that arrives twice is decided once. Kept for a day.
CREATE TABLE policy.decision (
  call_id text PRIMARY KEY,
  result text NOT NULL CHECK (result IN ('deny', 'person')),
  error jsonb,
  decided_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX decision_age ON policy.decision (decided_at);

CREATE TABLE policy.approval (
  id text PRIMARY KEY,
  principal_id text NOT NULL,
  -- The claims that were last verified with this request.
  principal jsonb NOT NULL,
  key_id text,
  -- '' where the call concerns no site.
  site text NOT NULL,
  tool text NOT NULL,
  tool_schema_hash text NOT NULL,
  args_hash text NOT NULL,
  -- The exact arguments, sealed with the key of the deployment; erased when the row ends.
  sealed_args text,
  summary jsonb NOT NULL,
  summary_hash text NOT NULL,
  reason text NOT NULL,
  base jsonb NOT NULL,
  skill jsonb,
  mode text NOT NULL,
  effect text NOT NULL,
  policy_version text NOT NULL,
  client jsonb,
  idempotency_key text,
  state text NOT NULL CHECK (state IN ('pending', 'approved', 'rejected', 'expired', 'withdrawn', 'stale', 'revoked',
    'consumed', 'succeeded', 'failed', 'aborted')),
  -- Everyone who answered, also those who came second.
  channels text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  decided_by text,
  decided_via text,
  decided_at timestamptz,
  reject_reason text,
  consumed_call_id text UNIQUE,
  consumed_at timestamptz,
  -- When the agent was told what came of it.
  told_at timestamptz
);
-- Repeats of a call do not pile up.
CREATE UNIQUE INDEX approval_open ON policy.approval (principal_id, tool, args_hash, site)
  WHERE state IN ('pending', 'approved');
CREATE INDEX approval_wish ON policy.approval (principal_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX approval_untold ON policy.approval (principal_id, tool, args_hash, site)
  WHERE told_at IS NULL AND decided_via = 'studio';
CREATE INDEX approval_expiry ON policy.approval (expires_at) WHERE state IN ('pending', 'approved');
CREATE INDEX approval_running ON policy.approval (consumed_at) WHERE state = 'consumed';
CREATE INDEX approval_waiting ON policy.approval (principal_id) WHERE state = 'pending';
CREATE INDEX approval_key ON policy.approval (key_id) WHERE state IN ('pending', 'approved');
CREATE INDEX approval_newest ON policy.approval (created_at DESC, id DESC);
CREATE INDEX approval_of_principal ON policy.approval (principal_id, created_at DESC, id DESC);

CREATE TABLE policy.elevation (
  id text PRIMARY KEY,
  call_id text NOT NULL UNIQUE,
  principal_id text NOT NULL,
  principal jsonb NOT NULL,
  key_id text,
  -- NULL: all sites of the principal, all tools.
  site text,
  tools text[],
  mode text NOT NULL,
  minutes integer NOT NULL CHECK (minutes > 0),
  reason text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'granted', 'refused', 'ended', 'expired', 'withdrawn', 'revoked')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Of the request while it waits, of the elevation once it is granted.
  ends_at timestamptz NOT NULL,
  decided_by text,
  decided_at timestamptz
);
CREATE UNIQUE INDEX elevation_pending ON policy.elevation (principal_id) WHERE state = 'pending';
CREATE INDEX elevation_granted ON policy.elevation (principal_id, ends_at) WHERE state = 'granted';
CREATE INDEX elevation_open ON policy.elevation (ends_at) WHERE state IN ('pending', 'granted');
CREATE INDEX elevation_newest ON policy.elevation (created_at DESC, id DESC);

GRANT SELECT, INSERT, UPDATE, DELETE ON policy.outbox, policy.key_ring, policy.site_rules, policy.decision,
  policy.approval, policy.elevation TO cloudhal_policy;
