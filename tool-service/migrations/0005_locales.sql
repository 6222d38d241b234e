-- Lists of one locale, newest first: an index page of a translated site, its feed, and whether a locale has any.
CREATE INDEX ver_locale ON tools.ver (site_id, track, kind, type, locale, date, node_id) WHERE to_seq IS NULL;
