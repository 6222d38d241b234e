/** The tables of the hops: what a version, its head, its snapshot and its record take, and no more. */
export const hopsSchema = `
CREATE SCHEMA hops;
CREATE TABLE hops.head (id integer PRIMARY KEY, seq bigint NOT NULL);
INSERT INTO hops.head VALUES (1, 0);
CREATE TABLE hops.body (hash bytea PRIMARY KEY, doc jsonb NOT NULL);
CREATE TABLE hops.ver (slug text NOT NULL, rev integer NOT NULL, hash bytea NOT NULL, from_seq bigint NOT NULL, to_seq bigint,
  PRIMARY KEY (slug, from_seq));
CREATE UNIQUE INDEX ver_head ON hops.ver (slug) WHERE to_seq IS NULL;
CREATE TABLE hops.snap (seq bigint PRIMARY KEY, call_id uuid NOT NULL UNIQUE, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE hops.outbox (event_id uuid PRIMARY KEY, event jsonb NOT NULL, at timestamptz NOT NULL DEFAULT now());

CREATE FUNCTION hops.write(a_slug text, a_rev integer, a_hash bytea, a_doc jsonb, a_call uuid) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  now_seq bigint;
BEGIN
  INSERT INTO hops.body VALUES (a_hash, a_doc) ON CONFLICT DO NOTHING;
  INSERT INTO hops.outbox (event_id, event) VALUES (a_call, jsonb_build_object('slug', a_slug, 'rev', a_rev, 'call', a_call));
  UPDATE hops.head SET seq = seq + 1 WHERE id = 1 RETURNING seq INTO now_seq;
  UPDATE hops.ver SET to_seq = now_seq WHERE slug = a_slug AND rev = a_rev AND to_seq IS NULL;
  IF NOT FOUND THEN RAISE EXCEPTION 'stale rev'; END IF;
  INSERT INTO hops.ver VALUES (a_slug, a_rev + 1, a_hash, now_seq, NULL);
  INSERT INTO hops.snap (seq, call_id) VALUES (now_seq, a_call);
  RETURN now_seq;
END $$;
`;
