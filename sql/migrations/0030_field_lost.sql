-- A window whose answer lacked a field says so by a code: the values that fill the field later replace nothing, and are no
-- restatement.
COMMENT ON COLUMN ops.coverage.reason_code IS 'The reason as a code, where a program acts on it: summary_restated (the daily summary changed after the candles were loaded), field_lost (the answer lacked a field that earlier answers or the record''s other fields prove; stored values stayed); null for every other reason.';
