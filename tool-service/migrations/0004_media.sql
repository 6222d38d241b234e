-- Files by key: what somebody uploaded, until it was looked at, and what was made of it, by hash. Both roles share them: the
-- gateway takes uploads in and serves what tool-service says may be served.

CREATE TABLE media.object (
  key text COLLATE "C" PRIMARY KEY,
  content uuid NOT NULL UNIQUE,
  bytes bigint NOT NULL,
  chunks integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE media.chunk (
  content uuid NOT NULL,
  n integer NOT NULL,
  data bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (content, n)
);
-- Pictures are compressed already.
ALTER TABLE media.chunk ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX chunk_started ON media.chunk (created_at) WHERE n = 0;

-- One-time upload addresses; the address holds the secret, this its hash.
CREATE TABLE media.upload (
  id text COLLATE "C" PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  site_id text COLLATE "C" NOT NULL,
  principal text COLLATE "C" NOT NULL,
  mime text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes > 0),
  sha256 text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The transfer began; the address is spent.
  claimed_at timestamptz,
  -- All of it is there, and is what was announced.
  stored_at timestamptz,
  -- An asset was made of it.
  used_at timestamptz
);
CREATE INDEX upload_expires ON media.upload (expires_at);

-- The gateway plants no blob: only what it took in as an upload.
ALTER TABLE media.object ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON media.object TO cloudhal_tools USING (true) WITH CHECK (true);
CREATE POLICY reading ON media.object FOR SELECT TO cloudhal_gateway USING (true);
CREATE POLICY uploading ON media.object FOR INSERT TO cloudhal_gateway WITH CHECK (key LIKE 'uploads/%');

GRANT SELECT, INSERT, DELETE ON media.object, media.chunk TO cloudhal_tools;
GRANT SELECT, INSERT, UPDATE, DELETE ON media.upload TO cloudhal_tools;
GRANT SELECT, INSERT ON media.object, media.chunk TO cloudhal_gateway;
GRANT SELECT, UPDATE (claimed_at, stored_at) ON media.upload TO cloudhal_gateway;
