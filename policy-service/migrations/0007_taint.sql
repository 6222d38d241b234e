-- Keys that have just read text from strangers. Here and not in the KeyValue: a taint that got lost would open what it closes.
CREATE TABLE policy.taint (
  key text PRIMARY KEY,
  until timestamptz NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON policy.taint TO cloudhal_policy;

-- What is forgotten of readers' words once nobody decides about them any more.
CREATE INDEX approval_words ON policy.approval (created_at)
  WHERE tool IN ('approve_comments', 'reject_comments', 'reply_to_comment') AND summary ? 'diff';
