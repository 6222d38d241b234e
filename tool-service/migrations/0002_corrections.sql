-- Every correction that was ever made. An entry carries its own; a rollback takes them out of the entry, and not from here.
CREATE TABLE tools.correction (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  id text COLLATE "C" NOT NULL,
  entry_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  text text NOT NULL,
  -- YYYY-MM-DD
  corrected_at text COLLATE "C" NOT NULL,
  -- The number of the snapshot that made it.
  seq bigint NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE INDEX correction_newest ON tools.correction (site_id, corrected_at, id);
CREATE INDEX correction_entry ON tools.correction (site_id, entry_id);

GRANT SELECT, INSERT ON tools.correction TO cloudhal_tools;
