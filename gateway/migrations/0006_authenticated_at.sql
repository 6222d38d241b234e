-- When the person of a session proved who they are; NULL where a provider does not say. Sessions that are there ask again.
ALTER TABLE gateway."session" ADD COLUMN "authenticatedAt" timestamptz;
