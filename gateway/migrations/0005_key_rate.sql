-- Calls a minute that a key may make, where that is less than the deployment's own limit.
ALTER TABLE gateway.agent_key ADD COLUMN rate_per_minute integer CHECK (rate_per_minute > 0);
