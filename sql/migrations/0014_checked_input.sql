-- A session whose rows did not change since it was checked needs no check: what its rules read then is kept as a hash.
CREATE TABLE recon.checked_input (
  kind         VARCHAR,
  trading_date DATE,
  checked_with VARCHAR,
  inputs       VARCHAR
);

COMMENT ON TABLE recon.checked_input IS 'One row per kind and trading_date: what the rules read when they were last run on it. A cache: without a row everything is checked again.';
COMMENT ON COLUMN recon.checked_input.kind IS 'session (rules about the market) or snapshot (rules about accounts).';
COMMENT ON COLUMN recon.checked_input.trading_date IS 'Session, or trading date of the snapshots.';
COMMENT ON COLUMN recon.checked_input.checked_with IS 'SHA-256 of the rules, of all that they are made of, and of the version of candlehouse.';
COMMENT ON COLUMN recon.checked_input.inputs IS 'SHA-256 of what the rules read of it (sql/audit/inputs) and of its overrides.';
