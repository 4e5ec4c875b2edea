-- Repair asks candles again whose daily summary was restated, also when it has just asked for them: the ledger says so by
-- a code, since the text of a reason is for people and may change.
ALTER TABLE ops.coverage ADD COLUMN IF NOT EXISTS reason_code VARCHAR;

COMMENT ON COLUMN ops.coverage.reason_code IS 'The reason as a code, where a program acts on it: summary_restated (the daily summary changed after the candles were loaded); null for every other reason.';
