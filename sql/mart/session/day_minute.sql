-- grain: one row per board, validity and minute of the day, trading or not
-- Bars of a minute that no phase has are odd, but not lost: they are phase 'outside', counted by the clock,
-- and never across a phase (gap_starts), so that no two bars carry one label. So are all minutes of days
-- before the first hours of a board that are known. A table, as mart.trading_phase is that it follows from:
-- every question about bars joins it.
CREATE OR REPLACE TABLE mart.day_minute AS
WITH era AS (
  SELECT DISTINCT board, valid_from, valid_to FROM mart.trading_minute
  UNION ALL
  SELECT board, DATE '0001-01-01', min(valid_from) - 1 FROM mart.trading_minute GROUP BY board
), clock_minute AS (
  SELECT era.board, era.valid_from, era.valid_to, CAST(clock.minute AS INTEGER) AS minute,
    trading.phase, trading.anchor, trading.last_minute, trading.is_regular, trading.auction,
    trading.auction_minute
  FROM era
  CROSS JOIN range(1440) clock(minute)
  LEFT JOIN mart.trading_minute trading ON trading.board = era.board AND trading.valid_from = era.valid_from
    AND trading.minute = clock.minute
)
SELECT board, valid_from, valid_to, minute, coalesce(phase, 'outside') AS phase, anchor, last_minute,
  coalesce(is_regular, false) AS is_regular, auction, auction_minute,
  CASE WHEN phase IS NULL THEN coalesce(max(CASE WHEN phase IS NOT NULL THEN minute + 1 END) OVER (
    PARTITION BY board, valid_from ORDER BY minute), 0) END AS gap_starts
FROM clock_minute;
COMMENT ON TABLE mart.day_minute IS
  'One row per board, validity and minute of the day: mart.trading_minute, and the minutes in which no bar '
  'should stand.';
COMMENT ON COLUMN mart.day_minute.phase IS
  'ato, morning, afternoon, atc or plo; outside where there is none.';
COMMENT ON COLUMN mart.day_minute.anchor IS 'As in mart.trading_minute; null outside.';
COMMENT ON COLUMN mart.day_minute.last_minute IS 'As in mart.trading_minute; null outside.';
COMMENT ON COLUMN mart.day_minute.is_regular IS 'As in mart.trading_minute; false outside.';
COMMENT ON COLUMN mart.day_minute.auction IS 'As in mart.trading_minute; null outside.';
COMMENT ON COLUMN mart.day_minute.auction_minute IS 'As in mart.trading_minute; null outside.';
COMMENT ON COLUMN mart.day_minute.gap_starts IS
  'Outside: first minute after the phase before, 0 before the first phase. Null in a phase.';
