-- How often readers were led on by a redirect, beside the tree: counting makes no snapshot.

CREATE TABLE tools.redirect_hit (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  node_id text COLLATE "C" NOT NULL,
  hits bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (site_id, node_id)
);

GRANT SELECT, INSERT, UPDATE ON tools.redirect_hit TO cloudhal_tools;
