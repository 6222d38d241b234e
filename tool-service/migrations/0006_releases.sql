-- What must not come and go with the tree: a rollback neither lifts an embargo nor brings a schedule back.

CREATE TABLE tools.embargo (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  node_id text COLLATE "C" NOT NULL,
  -- Readers may see the node from this instant on.
  until timestamptz NOT NULL,
  reason text NOT NULL,
  set_by text NOT NULL,
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (site_id, node_id)
);
CREATE INDEX embargo_until ON tools.embargo (site_id, until);

-- One row for each time that a release was or is to go live.
CREATE TABLE tools.release_run (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  release_id text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('scheduled', 'released', 'refused', 'unscheduled')),
  at timestamptz NOT NULL,
  -- Who scheduled or published it, as shown.
  by text NOT NULL,
  -- Of a schedule: what it was permitted with, and the rev of the release that was scheduled.
  permit text,
  arguments jsonb,
  rev integer,
  -- When a worker takes it up next; whoever does moves it on, so that the others leave it alone for a while.
  next_try_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  -- Why it was refused, or why it was not decided yet.
  error jsonb,
  call_id text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX release_run_scheduled ON tools.release_run (site_id, release_id) WHERE state = 'scheduled';
CREATE INDEX release_run_due ON tools.release_run (next_try_at) WHERE state = 'scheduled';
CREATE INDEX release_run_newest ON tools.release_run (site_id, release_id, created_at);

-- A preview of what a release would put live.
ALTER TABLE tools.preview ADD COLUMN release text COLLATE "C";

GRANT SELECT, INSERT, UPDATE, DELETE ON tools.embargo TO cloudhal_tools;
GRANT SELECT, INSERT, UPDATE ON tools.release_run TO cloudhal_tools;
