-- Decides which refused windows lie beyond a limit: only those are answers. Every other refusal is a gap. A
-- limit is known by what was answered beside it, never by the words of the refusal:
-- the year of intraday candles: the day is at most ten days younger than a year at the run's trading date,
--   since services were seen to begin their year five days later, and a later day was answered;
-- the beginning of the service's data: no session before it has daily data, or two runs in a row were refused
--   before everything that this dataset was ever answered;
-- the form of the query: the whole market was refused, its symbols were answered.
-- reads: ops.coverage, ops.request, ops.run, variable dataset
-- writes: changed_refusal, ops.coverage, ops.dirty_partition

-- grain: one row per refused window whose state changes
CREATE OR REPLACE TEMP TABLE changed_refusal AS
WITH refusal AS (
  SELECT coverage.key, coverage.timeframe, coverage.window_from AS day, coverage.state, coverage.failed_runs,
    run.trading_date AS requested_for
  FROM ops.coverage AS coverage
  LEFT JOIN ops.request request USING (request_id)
  LEFT JOIN ops.run run USING (run_id)
  WHERE coverage.dataset = getvariable('dataset') AND coverage.reason_code = 'refusal'
), answered AS (
  -- a window that other answers contradict was answered too
  SELECT dataset, key, timeframe, window_from AS day, CASE
    WHEN reason_code IS DISTINCT FROM 'contradicted' THEN state
    WHEN row_count > 0 THEN 'complete'
    ELSE 'empty'
  END AS state
  FROM ops.coverage
  WHERE (state IN ('complete', 'empty') OR reason_code = 'contradicted' AND request_id IS NOT NULL)
    AND EXISTS (FROM refusal)
    AND dataset IN ('securitiesSummary', 'indexSummary', 'masterdata', getvariable('dataset'))
), beginning AS (
  SELECT
    min(day) FILTER (WHERE state = 'complete' AND dataset <> 'ohlc') AS of_service,
    min(day) FILTER (WHERE dataset = getvariable('dataset')) AS of_dataset,
    max(day) FILTER (WHERE dataset = 'ohlc') AS last_candles
  FROM answered
), decided AS (
  SELECT refusal.*, CASE
    WHEN timeframe NOT IN ('', '1d') AND day <= requested_for - INTERVAL 1 YEAR + INTERVAL 10 DAY
      AND day < beginning.last_candles THEN 'refused'
    WHEN day < beginning.of_service THEN 'refused'
    WHEN failed_runs > 1 AND timeframe IN ('', '1d') AND day < beginning.of_dataset THEN 'refused'
    WHEN getvariable('dataset') = 'securitiesSummary' AND key = '*' AND EXISTS (
      FROM answered
      WHERE answered.dataset = 'securitiesSummary' AND answered.key <> '*' AND answered.day = refusal.day
        AND answered.state = 'complete'
    ) THEN 'refused'
    ELSE 'incomplete'
  END AS decided_state
  FROM refusal CROSS JOIN beginning
)
SELECT key, timeframe, day, decided_state FROM decided WHERE decided_state <> state;

UPDATE ops.coverage AS stored SET state = changed_refusal.decided_state
FROM changed_refusal
WHERE stored.dataset = getvariable('dataset') AND stored.key = changed_refusal.key
  AND stored.timeframe = changed_refusal.timeframe AND stored.window_from = changed_refusal.day;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', month_of_day(day) FROM changed_refusal;
