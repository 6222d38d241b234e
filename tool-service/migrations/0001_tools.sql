-- The site graph: intervals over content-addressed bodies, one snapshot for each change, and the calls that made them.

CREATE TABLE tools.site (
  id text PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  -- The newest snapshot's number; every writer of the site takes this row's lock, so numbers have no gaps.
  head_seq bigint NOT NULL DEFAULT 0,
  head_snapshot text,
  live_seq bigint NOT NULL DEFAULT 0,
  live_snapshot text,
  -- Sums over the heads of both tracks, see graph/digest.ts.
  draft_digest numeric(78) NOT NULL DEFAULT 0,
  live_digest numeric(78) NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tools.body (
  hash bytea PRIMARY KEY,
  doc jsonb NOT NULL
);

CREATE TABLE tools.ver (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  track text COLLATE "C" NOT NULL CHECK (track IN ('draft', 'live')),
  node_id text COLLATE "C" NOT NULL,
  -- The version is part of the states from_seq <= S < to_seq; the head has no to_seq.
  from_seq bigint NOT NULL,
  to_seq bigint CHECK (to_seq > from_seq),
  rev integer NOT NULL CHECK (rev > 0),
  kind text COLLATE "C" NOT NULL,
  hash bytea NOT NULL REFERENCES tools.body,
  deleted boolean NOT NULL,
  -- What lists sort and filter by, derived from the body.
  type text COLLATE "C" NOT NULL DEFAULT '',
  slug text COLLATE "C" NOT NULL DEFAULT '',
  path text COLLATE "C",
  parent text COLLATE "C",
  locale text COLLATE "C",
  title text COLLATE "C" NOT NULL DEFAULT '',
  date text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (site_id, track, node_id, from_seq)
);
CREATE UNIQUE INDEX ver_head ON tools.ver (site_id, track, node_id) WHERE to_seq IS NULL;
CREATE UNIQUE INDEX ver_path ON tools.ver (site_id, track, path, locale)
  WHERE to_seq IS NULL AND NOT deleted AND path IS NOT NULL;
CREATE INDEX ver_slug ON tools.ver (site_id, track, kind, slug) WHERE to_seq IS NULL;
CREATE INDEX ver_parent ON tools.ver (site_id, track, parent) WHERE to_seq IS NULL AND parent IS NOT NULL;
CREATE INDEX ver_updated ON tools.ver (site_id, track, kind, type, from_seq, node_id) WHERE to_seq IS NULL;
CREATE INDEX ver_date ON tools.ver (site_id, track, kind, type, date, node_id) WHERE to_seq IS NULL;
CREATE INDEX ver_by_path ON tools.ver (site_id, track, kind, path, node_id) WHERE to_seq IS NULL AND path IS NOT NULL;
-- A difference between two states reads the versions with a bound between them.
CREATE INDEX ver_from ON tools.ver (site_id, track, from_seq);
CREATE INDEX ver_to ON tools.ver (site_id, track, to_seq) WHERE to_seq IS NOT NULL;

-- Nodes whose draft differs from what is live: the publish plan, kept as changes are made.
CREATE TABLE tools.pending (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  node_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (site_id, node_id)
);

CREATE TABLE tools.snap (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL UNIQUE,
  parent text COLLATE "C",
  reason text NOT NULL,
  label text NOT NULL,
  -- Named by somebody as a restore point.
  labelled boolean NOT NULL DEFAULT false,
  tool text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  skill text,
  call_id text NOT NULL UNIQUE,
  draft_digest numeric(78) NOT NULL,
  live_digest numeric(78) NOT NULL,
  n_draft integer NOT NULL,
  n_live integer NOT NULL,
  note text,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (site_id, seq)
);
CREATE INDEX snap_labelled ON tools.snap (site_id, seq) WHERE labelled;
CREATE INDEX snap_live ON tools.snap (site_id, seq) WHERE n_live > 0;
CREATE INDEX snap_actor ON tools.snap (site_id, actor_id, seq);

-- Projections of the heads.
CREATE TABLE tools.edge (
  site_id text COLLATE "C" NOT NULL,
  track text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  -- A node's id, or a path of the site.
  target text COLLATE "C" NOT NULL,
  PRIMARY KEY (site_id, track, source, role, target)
);
CREATE INDEX edge_target ON tools.edge (site_id, track, target);

CREATE TABLE tools.search (
  site_id text COLLATE "C" NOT NULL,
  track text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  locale text COLLATE "C",
  config regconfig NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (site_id, track, node_id)
);
CREATE INDEX search_draft ON tools.search USING gin (words) WHERE track = 'draft';
CREATE INDEX search_live ON tools.search USING gin (words) WHERE track = 'live';

-- One row for each call that may change something, and for each that was given up before it arrived.
CREATE TABLE tools.calls (
  call_id text COLLATE "C" PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('attempted', 'succeeded', 'failed', 'aborted')),
  site_id text COLLATE "C",
  tool text NOT NULL,
  principal text COLLATE "C" NOT NULL,
  args_hash text COLLATE "C" NOT NULL,
  -- {tool, site, arguments}: what an idempotency key was used for.
  fingerprint text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C",
  approval_id text,
  -- What the outcome's record says about the call, whoever writes it.
  origin jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deadline timestamptz NOT NULL,
  ended_at timestamptz,
  -- The worker died or threw what it should not have.
  crashed boolean NOT NULL DEFAULT false,
  snapshot text,
  result jsonb,
  error jsonb
);
CREATE UNIQUE INDEX calls_idempotency ON tools.calls (principal, idempotency_key)
  WHERE idempotency_key IS NOT NULL AND state IN ('attempted', 'succeeded');
CREATE INDEX calls_attempted ON tools.calls (deadline) WHERE state = 'attempted';
CREATE INDEX calls_crashed ON tools.calls (args_hash, tool, ended_at) WHERE crashed;
CREATE INDEX calls_ended ON tools.calls (ended_at) WHERE ended_at IS NOT NULL;

-- Links to private previews; the link holds the secret, this its hash.
CREATE TABLE tools.preview (
  secret_hash bytea PRIMARY KEY,
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  node_id text COLLATE "C" NOT NULL,
  track text NOT NULL,
  snapshot text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX preview_expires ON tools.preview (expires_at);

CREATE TABLE tools.outbox (
  event_id uuid PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  event jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz,
  archived_at timestamptz
);
CREATE INDEX outbox_unarchived ON tools.outbox (seq) WHERE archived_at IS NULL;

-- Fails the statement, and the change that it is part of, where the condition does not hold.
CREATE FUNCTION tools.must(holds boolean, otherwise text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF holds IS NOT TRUE THEN
    RAISE EXCEPTION USING ERRCODE = 'CH001', MESSAGE = otherwise;
  END IF;
  RETURN true;
END $$;

GRANT SELECT, INSERT, UPDATE ON tools.site, tools.ver TO cloudhal_tools;
-- Bodies and snapshots are never changed and never deleted.
GRANT SELECT, INSERT ON tools.body, tools.snap TO cloudhal_tools;
GRANT SELECT, INSERT, UPDATE, DELETE
  ON tools.pending, tools.edge, tools.search, tools.calls, tools.preview, tools.outbox TO cloudhal_tools;
