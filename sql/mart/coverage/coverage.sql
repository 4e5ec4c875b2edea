-- grain: one row per dataset, timeframe and session that was requested, or that is missing between stored
--   sessions
-- Missing: a weekday between the first and the last session stored of the dataset and timeframe that is not
-- known to be closed (mart.closed_day) and that was never requested. A closed day that no calendar names
-- shows as missing, too, until it is requested: where the service has nothing for the whole market, no other
-- dataset has rows of that day, and a later session has, the day is learned to be closed. Timeframes that are
-- requested for a few symbols per session only, as cross-checks of rule 10, have sessions without any.
CREATE OR REPLACE VIEW mart.coverage AS
WITH covered_session AS (
  SELECT dataset, coalesce(timeframe, '') AS timeframe, window_from AS trading_date, count(*) AS windows,
    count_if(state = 'complete') AS complete, count_if(state = 'empty') AS empty,
    count_if(state = 'incomplete') AS incomplete,
    count_if(state = 'refused') AS refused,
    count_if(state = 'imported') AS imported,
    TRY_CAST(sum(row_count) AS BIGINT) AS row_count, min(expires_on) AS expires_on
  FROM ops.coverage
  GROUP BY dataset, coalesce(timeframe, ''), window_from
), stored_range AS (
  SELECT dataset, timeframe, min(trading_date) AS first_day, max(trading_date) AS last_day
  FROM covered_session WHERE complete + imported > 0
  GROUP BY dataset, timeframe
), learned_day AS (
  SELECT window_from AS trading_date
  FROM ops.coverage
  GROUP BY window_from
  HAVING count_if(dataset IN ('securitiesSummary', 'masterdata') AND key = '*' AND state = 'empty') > 0
    AND count_if(dataset IN ('securitiesSummary', 'masterdata', 'indexSummary', 'ohlc')
      AND state IN ('complete', 'incomplete', 'imported')) = 0
    AND window_from < (SELECT max(last_day) FROM stored_range WHERE dataset = 'securitiesSummary')
), weekday AS (
  SELECT dataset, timeframe, CAST(unnest(range(first_day, last_day, INTERVAL 1 DAY)) AS DATE) AS trading_date
  FROM stored_range
)
SELECT dataset, timeframe, trading_date, windows, complete, empty, incomplete, refused, imported, row_count,
  expires_on,
  false AS is_missing
FROM covered_session
UNION ALL
SELECT dataset, timeframe, trading_date, 0, 0, 0, 0, 0, 0, 0, NULL, true
FROM weekday
ANTI JOIN covered_session USING (dataset, timeframe, trading_date)
ANTI JOIN learned_day USING (trading_date)
WHERE isodow(trading_date) <= 5 AND trading_date NOT IN (SELECT day FROM mart.closed_day);
COMMENT ON VIEW mart.coverage IS
  'One row per dataset, timeframe and session: what was asked for and how it was answered, and the sessions '
  'in between that were never requested.';
COMMENT ON COLUMN mart.coverage.trading_date IS
  'Session asked for, or missing. For lists (securities, indexes, indexMembers) and snapshots the trading '
  'date they were read for: these cannot be asked again for a day that is past.';
COMMENT ON COLUMN mart.coverage.windows IS
  'Windows asked for: one a symbol, index, board or account, or one for all at once. 0 where the session is '
  'missing.';
COMMENT ON COLUMN mart.coverage.complete IS 'Windows answered whole.';
COMMENT ON COLUMN mart.coverage.empty IS 'Windows for which the service reports no rows.';
COMMENT ON COLUMN mart.coverage.incomplete IS 'Windows to be asked again.';
COMMENT ON COLUMN mart.coverage.refused IS 'Windows beyond what the service serves.';
COMMENT ON COLUMN mart.coverage.imported IS
  'Windows brought by files of one''s own (candlehouse import), which the service was not asked for.';
COMMENT ON COLUMN mart.coverage.row_count IS 'Records the windows were answered with.';
COMMENT ON COLUMN mart.coverage.expires_on IS
  'First day from which the service no longer serves one of the windows; null when none expires.';
COMMENT ON COLUMN mart.coverage.is_missing IS
  'Whether this weekday was never requested, which lies between sessions stored and is not known to be '
  'closed.';
