-- grain: one row per board, phase and validity: the phases of a trading day (data/reference/sessions.csv)
-- Dated: hours change by era, and an old bar is checked by the hours of its own day.
CREATE OR REPLACE TABLE mart.trading_phase AS
SELECT board, phase, CAST(starts AS TIME) AS starts, CAST(ends AS TIME) AS ends,
  CAST(valid_from AS DATE) AS valid_from,
  coalesce(CAST(nullif(valid_to, '') AS DATE), DATE '9999-12-31') AS valid_to, source
FROM read_csv(getvariable('reference_sessions'), header = true, all_varchar = true);
COMMENT ON TABLE mart.trading_phase IS
  'One row per board, phase and validity: the phases of a trading day, exchange time.';
COMMENT ON COLUMN mart.trading_phase.phase IS
  'ato and atc (opening and closing auction), continuous, plo (after hours at the closing price), deal '
  '(put-through only).';
COMMENT ON COLUMN mart.trading_phase.starts IS 'First minute, exchange time.';
COMMENT ON COLUMN mart.trading_phase.ends IS
  'Where it ends, exchange time; an auction matches at this minute.';
