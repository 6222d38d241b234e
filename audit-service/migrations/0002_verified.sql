-- What the last verification found is in the record itself; this finds it in a long one.
CREATE INDEX event_verified ON audit.event (ts) WHERE type IN ('audit.verify', 'audit.verified');
