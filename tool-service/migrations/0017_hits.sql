-- What readers look at, by day. Nothing here says who they were.

CREATE TABLE tools.page_views (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  day date NOT NULL,
  -- As readers ask for it; '' is the whole site.
  path text COLLATE "C" NOT NULL,
  views bigint NOT NULL,
  visitors bigint NOT NULL,
  PRIMARY KEY (site_id, day, path)
);
CREATE INDEX page_views_path ON tools.page_views (site_id, path, day);

-- Hashes of the day's visitors, to count each once; deleted when the day is over.
CREATE TABLE tools.visitor (
  site_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  path text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (site_id, day, path, hash)
);

CREATE TABLE tools.referral (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  day date NOT NULL,
  path text COLLATE "C" NOT NULL,
  host text COLLATE "C" NOT NULL,
  views bigint NOT NULL,
  PRIMARY KEY (site_id, day, path, host)
);

-- Asked for, and not there.
CREATE TABLE tools.missing_page (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  day date NOT NULL,
  path text COLLATE "C" NOT NULL,
  hits bigint NOT NULL,
  PRIMARY KEY (site_id, day, path)
);

-- Links to other sites, as they were when they were last looked at.
CREATE TABLE tools.external_link (
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  url text COLLATE "C" NOT NULL,
  -- 0: never. What failed twice in a row is reported.
  checks integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  problem text,
  checked_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (site_id, url)
);
CREATE INDEX external_link_due ON tools.external_link (due_at);

GRANT SELECT, INSERT, UPDATE, DELETE
  ON tools.page_views, tools.visitor, tools.referral, tools.missing_page, tools.external_link TO cloudhal_tools;
