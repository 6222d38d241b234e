-- People. These four tables are Better Auth's own, under its own names; it reads them with search_path = gateway.
CREATE TABLE gateway."user" (
  "id" text NOT NULL PRIMARY KEY,
  "name" text NOT NULL,
  "email" text NOT NULL UNIQUE,
  "emailVerified" boolean NOT NULL,
  "image" text,
  "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE gateway."session" (
  "id" text NOT NULL PRIMARY KEY,
  "expiresAt" timestamptz NOT NULL,
  "token" text NOT NULL UNIQUE,
  "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz NOT NULL,
  "ipAddress" text,
  "userAgent" text,
  "userId" text NOT NULL REFERENCES gateway."user" ("id") ON DELETE CASCADE
);
CREATE INDEX "session_userId_idx" ON gateway."session" ("userId");

CREATE TABLE gateway."account" (
  "id" text NOT NULL PRIMARY KEY,
  "accountId" text NOT NULL,
  "providerId" text NOT NULL,
  "userId" text NOT NULL REFERENCES gateway."user" ("id") ON DELETE CASCADE,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "password" text,
  "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz NOT NULL
);
CREATE INDEX "account_userId_idx" ON gateway."account" ("userId");

CREATE TABLE gateway."verification" (
  "id" text NOT NULL PRIMARY KEY,
  "identifier" text NOT NULL,
  "value" text NOT NULL,
  "expiresAt" timestamptz NOT NULL,
  "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "verification_identifier_idx" ON gateway."verification" ("identifier");

-- Who belongs to the deployment. Without a row here neither a session nor a key opens anything.
-- No foreign key to "user": `local`, the developer at the machine, has no account.
CREATE TABLE gateway.member (
  id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'reviewer', 'auditor')),
  kind text NOT NULL CHECK (kind IN ('person', 'local')),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One-time links by which a person makes their account. Only a hash of the token is kept.
CREATE TABLE gateway.invitation (
  id text PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'reviewer', 'auditor')),
  first_owner boolean NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  used_by text
);

-- Agent keys. `hash` is an HMAC of the secret under the pepper `pepper_id`, which is not in the database; the previous
-- secret stays good until `previous_until` after a rotation. `generation` grows with each change of what a key may do.
CREATE TABLE gateway.agent_key (
  id text PRIMARY KEY,
  name text NOT NULL,
  owner_id text NOT NULL,
  hash bytea NOT NULL,
  pepper_id text NOT NULL,
  previous_hash bytea,
  previous_pepper_id text,
  previous_until timestamptz,
  last4 text NOT NULL,
  mode text NOT NULL,
  -- `"*"` or an array, as are `sites`
  scopes jsonb NOT NULL,
  sites jsonb NOT NULL,
  toolsets jsonb,
  person_attested text NOT NULL,
  confirm_token_fallback boolean NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by text
);
CREATE INDEX agent_key_owner ON gateway.agent_key (owner_id);

CREATE TABLE gateway.outbox (
  event_id uuid PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  event jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz,
  archived_at timestamptz
);
CREATE INDEX outbox_unarchived ON gateway.outbox (seq) WHERE archived_at IS NULL;

CREATE TABLE gateway.key_ring (name text PRIMARY KEY, sealed text NOT NULL, updated_at timestamptz NOT NULL DEFAULT now());

GRANT SELECT, INSERT, UPDATE, DELETE
  ON gateway."user", gateway."session", gateway."account", gateway."verification",
     gateway.member, gateway.invitation, gateway.agent_key, gateway.outbox, gateway.key_ring
  TO cloudhal_gateway;
