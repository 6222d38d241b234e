-- Where an invitation was sent to: its owner proves the address by following the link, or by single sign-on.
ALTER TABLE gateway.invitation ADD COLUMN email text;
CREATE INDEX invitation_open ON gateway.invitation (expires_at) WHERE used_at IS NULL;
