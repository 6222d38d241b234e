-- The record: a hash chain of events for each site, and one for what concerns no site. Appended to and read, never changed.

-- One row for each chain: the number and hash of its last event. Whoever appends holds this row.
CREATE TABLE audit.head (
  part text PRIMARY KEY,
  seq bigint NOT NULL,
  hash bytea NOT NULL
);

CREATE TABLE audit.event (
  part text NOT NULL,                 -- the chain: a site's id, or _deployment
  seq bigint NOT NULL CHECK (seq > 0),
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event_id uuid NOT NULL,
  prev bytea NOT NULL,
  hash bytea NOT NULL,
  body text NOT NULL,                 -- the canonical JSON that was hashed, byte for byte; jsonb would change it
  ts timestamptz NOT NULL,            -- the event's own time, to the millisecond
  -- Copies out of the body, to search by.
  type text NOT NULL,
  call_id text,
  actor text NOT NULL,
  behalf text,
  tool text,
  skill text,
  decision text,
  outcome text,
  code text,
  snapshot text,
  PRIMARY KEY (part, seq, received_at)
) PARTITION BY RANGE (received_at);

CREATE INDEX event_ts ON audit.event (ts);
CREATE INDEX event_part_ts ON audit.event (part, ts);
CREATE INDEX event_actor_ts ON audit.event (actor, ts);
CREATE INDEX event_behalf_ts ON audit.event (behalf, ts) WHERE behalf IS NOT NULL;
CREATE INDEX event_tool_ts ON audit.event (tool, ts) WHERE tool IS NOT NULL;
CREATE INDEX event_call ON audit.event (call_id) WHERE call_id IS NOT NULL;
CREATE INDEX event_snapshot ON audit.event (snapshot) WHERE snapshot IS NOT NULL;

-- Event ids are unique over all months, which a partitioned table cannot promise by itself.
CREATE TABLE audit.event_id (
  event_id uuid PRIMARY KEY,
  digest bytea NOT NULL,              -- SHA-256 of the record as it came
  part text NOT NULL,
  seq bigint NOT NULL
);

-- Records that could not be taken; an integrity event in the chain tells of each.
CREATE TABLE audit.invalid (
  event_id uuid PRIMARY KEY,          -- of the event that tells of it
  record_id text NOT NULL,
  sha256 bytea NOT NULL,              -- of the whole record
  raw text NOT NULL,                  -- its beginning, without credentials
  reason text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now()
);

-- People's names, which the events hold only as tokens: HMAC-SHA256(salt, name). Erasing a person deletes these rows.
CREATE TABLE audit.name (
  subject text NOT NULL,
  token text NOT NULL,
  salt bytea NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (subject, token)
);
CREATE INDEX name_token ON audit.name (token);

-- Signed checkpoints, as they were also written outside this database.
CREATE TABLE audit.checkpoint (
  part text NOT NULL,
  seq bigint NOT NULL,
  note text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (part, seq)
);

-- What maintenance did; the service puts an event for each row into the chain.
CREATE TABLE audit.maintenance (
  event_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  part text NOT NULL,
  type text NOT NULL CHECK (type IN ('erasure', 'retention')),
  details jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION audit.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record is append-only' USING ERRCODE = '42501';
END $$;

-- Makes the partitions of this month and of the next ones, where they are missing.
CREATE FUNCTION audit.make_partitions(ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  month timestamptz := date_trunc('month', clock_timestamp());
  partition text;
BEGIN
  FOR i IN 0 .. least(ahead, 24) LOOP
    partition := to_char(month, '"event_"YYYY_MM');
    IF to_regclass('audit.' || partition) IS NULL THEN
      PERFORM pg_advisory_xact_lock(hashtextextended('audit.make_partitions', 0));
      IF to_regclass('audit.' || partition) IS NULL THEN
        EXECUTE format('CREATE TABLE audit.%I PARTITION OF audit.event FOR VALUES FROM (%L) TO (%L)',
          partition, month, month + interval '1 month');
        -- A trigger for TRUNCATE is not handed down to partitions.
        EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON audit.%I
          EXECUTE FUNCTION audit.refuse_change()', partition);
      END IF;
    END IF;
    month := month + interval '1 month';
  END LOOP;
END $$;

CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON audit.event
  FOR EACH ROW EXECUTE FUNCTION audit.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON audit.event
  EXECUTE FUNCTION audit.refuse_change();

SELECT audit.make_partitions(3);

-- Drops a whole month. It has to be the oldest part of each chain in it, older than `keep`, and behind a checkpoint; what is
-- left of a chain then begins with the next event, which still names the hash before it.
CREATE FUNCTION audit.drop_month(month date, keep interval DEFAULT '400 days') RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  first timestamptz := date_trunc('month', month::timestamptz);
  partition text := to_char(first, '"event_"YYYY_MM');
  chain record;
BEGIN
  IF first + interval '1 month' > now() - keep THEN
    RAISE EXCEPTION 'this month is not older than %', keep;
  END IF;
  FOR chain IN EXECUTE format(
    'SELECT DISTINCT ON (part) part, seq, hash FROM audit.%I ORDER BY part, seq DESC', partition)
  LOOP
    IF EXISTS (SELECT FROM audit.event e WHERE e.part = chain.part AND e.seq < chain.seq
               AND (e.received_at < first OR e.received_at >= first + interval '1 month')) THEN
      RAISE EXCEPTION 'older events of % are still there: drop their month first', chain.part;
    END IF;
    IF NOT EXISTS (SELECT FROM audit.checkpoint c WHERE c.part = chain.part AND c.seq >= chain.seq) THEN
      RAISE EXCEPTION 'the events of % are not behind a checkpoint', chain.part;
    END IF;
    INSERT INTO audit.maintenance (part, type, details) VALUES (chain.part, 'retention',
      jsonb_build_object('seq', chain.seq, 'head', encode(chain.hash, 'hex')));
  END LOOP;
  EXECUTE format('DELETE FROM audit.event_id i USING audit.%I e WHERE i.event_id = e.event_id', partition);
  EXECUTE format('DROP TABLE audit.%I', partition);
END $$;

-- Erases the names that the record has of a person. `subject` is the id in the events, which stays.
CREATE FUNCTION audit.erase_person(subject text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  erased integer;
BEGIN
  DELETE FROM audit.name n WHERE n.subject = erase_person.subject;
  GET DIAGNOSTICS erased = ROW_COUNT;
  INSERT INTO audit.maintenance (part, type, details)
  VALUES ('_deployment', 'erasure', jsonb_build_object('subject', subject, 'names', erased));
  RETURN erased;
END $$;

REVOKE ALL ON FUNCTION audit.make_partitions(integer), audit.drop_month(date, interval), audit.erase_person(text) FROM PUBLIC;

GRANT SELECT, INSERT, UPDATE ON audit.head TO cloudhal_audit;
GRANT SELECT, INSERT ON audit.event, audit.event_id, audit.invalid, audit.name, audit.checkpoint TO cloudhal_audit;
GRANT SELECT ON audit.maintenance TO cloudhal_audit;
GRANT EXECUTE ON FUNCTION audit.make_partitions(integer) TO cloudhal_audit;
GRANT EXECUTE ON FUNCTION audit.drop_month(date, interval), audit.erase_person(text) TO cloudhal_maintenance;
GRANT SELECT ON audit.maintenance TO cloudhal_maintenance;
