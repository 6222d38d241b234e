-- What nodes that are nearly the same have in common, see graph/likeness.ts: two of them share a number with good odds.
ALTER TABLE tools.search ADD COLUMN bands integer[] NOT NULL DEFAULT '{}';
CREATE INDEX search_bands ON tools.search USING gin (bands);
