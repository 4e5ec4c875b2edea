-- Windows of the days that are weighed, as their own answers have them
-- reads: evidence_day, ops.coverage
-- writes: own_window, variable candles_follow, variable evidence_first, variable evidence_last

-- whether candles of these days are requested next
SET VARIABLE candles_follow = $candles_follow;

-- literal bounds let DuckDB skip row groups of other sessions
SET VARIABLE evidence_first = (SELECT min(day) FROM evidence_day);
SET VARIABLE evidence_last = (SELECT max(day) FROM evidence_day);

-- grain: one row per window of the ledger, with the state that its own answer gave it: `unasked` where it has
--   none yet
CREATE OR REPLACE TEMP TABLE own_window AS
SELECT dataset, key, timeframe, window_from AS day, row_count, request_id, state AS marked_state,
  reason AS marked_reason, reason_code AS marked_code,
  CASE
    WHEN reason_code IS DISTINCT FROM 'contradicted' THEN state
    WHEN request_id IS NULL THEN 'unasked'
    WHEN row_count > 0 THEN 'complete'
    ELSE 'empty'
  END AS state
FROM ops.coverage
WHERE window_from BETWEEN getvariable('evidence_first') AND getvariable('evidence_last')
  AND window_from IN (FROM evidence_day);
