-- What readers write. It lies beside the tree, so that a rollback never shows again what a person removed.

-- A comment without what its reader said: what is left of one that was erased.
CREATE TABLE tools.comment (
  id text COLLATE "C" PRIMARY KEY,
  site_id text COLLATE "C" NOT NULL REFERENCES tools.site,
  -- The entry that it was written under.
  node_id text COLLATE "C" NOT NULL,
  -- The comment that it answers.
  parent text COLLATE "C" REFERENCES tools.comment ON DELETE CASCADE,
  -- In the site's name.
  official boolean NOT NULL DEFAULT false,
  rev integer NOT NULL DEFAULT 1,
  status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'spam', 'approved', 'rejected', 'erased')),
  -- 0 to 100, and the signs that it was counted from.
  spam smallint NOT NULL DEFAULT 0,
  signs text[] NOT NULL DEFAULT '{}',
  -- {decision, reason, by, at}: what an agent thinks, for a person.
  suggestion jsonb,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_at timestamptz
);
CREATE INDEX comment_queue ON tools.comment (site_id, status, id);
CREATE INDEX comment_entry ON tools.comment (site_id, node_id, id);
CREATE INDEX comment_forget ON tools.comment (coalesce(decided_at, created_at))
  WHERE status IN ('pending', 'spam', 'rejected');

-- What a reader said, and the name that they gave: erased by deleting the row. Nothing else is known of them.
CREATE TABLE tools.comment_words (
  comment_id text COLLATE "C" PRIMARY KEY REFERENCES tools.comment ON DELETE CASCADE,
  author text NOT NULL,
  text text NOT NULL,
  -- Of the text, to find the same one sent again.
  text_hash bytea NOT NULL
);
CREATE INDEX comment_words_hash ON tools.comment_words (text_hash);

GRANT SELECT, INSERT, UPDATE, DELETE ON tools.comment, tools.comment_words TO cloudhal_tools;
