-- What lists and counts of a site with very many nodes would otherwise read all of it for.

-- Lists by title. Beyond so many characters a title does not count: an index has no room for more.
CREATE INDEX ver_title ON tools.ver (site_id, track, kind, type, left(title, 200), node_id) WHERE to_seq IS NULL;
-- The trash, which is small.
CREATE INDEX ver_trash ON tools.ver (site_id, track, kind) WHERE to_seq IS NULL AND deleted;
