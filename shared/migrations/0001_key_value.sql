-- Small shared state with a lifetime, for deployments without Redis. Time is the database's.
CREATE TABLE shared.key_value (
  key text PRIMARY KEY,
  value text NOT NULL,
  expires_at timestamptz
);

CREATE INDEX key_value_expiry ON shared.key_value (expires_at) WHERE expires_at IS NOT NULL;

-- A bucket of the generic cell rate algorithm: the theoretical arrival time of the next call.
CREATE TABLE shared.rate (
  key text PRIMARY KEY,
  tat timestamptz NOT NULL
);

CREATE INDEX rate_tat ON shared.rate (tat);

-- Takes `cost` from a bucket that holds `burst` and refills at `per_minute`, in one step. A bucket whose time lies further
-- ahead than the burst allows (the clock jumped back) counts as empty from now on, not as closed for ever.
CREATE FUNCTION shared.take(
  bucket text, burst double precision, per_minute double precision, cost double precision,
  OUT allowed boolean, OUT remaining integer, OUT retry_after_ms double precision
) LANGUAGE plpgsql AS $$
DECLARE
  period interval := interval '1 minute' / per_minute;
  earliest timestamptz;
  next_tat timestamptz;
  present timestamptz;
BEGIN
  INSERT INTO shared.rate (key, tat) VALUES (bucket, clock_timestamp()) ON CONFLICT (key) DO NOTHING;
  SELECT tat INTO earliest FROM shared.rate WHERE key = bucket FOR UPDATE;
  -- After the lock: whoever waited must not count with the time before the wait.
  present := clock_timestamp();
  earliest := least(greatest(earliest, present), present + period * burst);
  next_tat := earliest + period * cost;
  allowed := next_tat <= present + period * burst;
  IF allowed THEN
    UPDATE shared.rate SET tat = next_tat WHERE key = bucket;
    remaining := floor(extract(epoch FROM present + period * burst - next_tat) / extract(epoch FROM period));
    retry_after_ms := 0;
  ELSE
    UPDATE shared.rate SET tat = earliest WHERE key = bucket AND tat > earliest;
    remaining := floor(extract(epoch FROM present + period * burst - earliest) / extract(epoch FROM period));
    retry_after_ms := 1000 * extract(epoch FROM next_tat - (present + period * burst));
  END IF;
END $$;

REVOKE ALL ON FUNCTION shared.take FROM PUBLIC;
GRANT EXECUTE ON FUNCTION shared.take TO cloudhal_gateway, cloudhal_policy, cloudhal_tools, cloudhal_audit;
GRANT SELECT, INSERT, UPDATE, DELETE ON shared.key_value, shared.rate
  TO cloudhal_gateway, cloudhal_policy, cloudhal_tools, cloudhal_audit;
