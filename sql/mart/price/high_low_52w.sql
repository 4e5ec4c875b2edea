-- grain: one row per symbol and session with a close
-- Over the session and the 364 days before it, of highest and lowest prices (not closes) of sessions in which
-- something matched, all adjusted. A new high is above every earlier one of these weeks by more than
-- rounding: equal to it is none.
CREATE OR REPLACE VIEW mart.high_low_52w AS
WITH traded_range AS (
  SELECT symbol, trading_date, close, close_adjusted,
    CASE WHEN total_match > 0 THEN greatest(high_adjusted, close_adjusted) END AS high,
    CASE WHEN total_match > 0 THEN least(CASE WHEN low > 0 THEN low_adjusted END, close_adjusted) END AS low
  FROM mart.daily_adjusted
  WHERE close > 0
), range_before AS (
  SELECT *,
    max(high) OVER weeks_before AS high_before,
    min(low) OVER weeks_before AS low_before,
    count(high) OVER weeks_before AS sessions_before
  FROM traded_range
  WINDOW weeks_before AS (PARTITION BY symbol
    ORDER BY trading_date RANGE BETWEEN INTERVAL 364 DAY PRECEDING AND INTERVAL 1 DAY PRECEDING)
)
SELECT symbol, trading_date, close, close_adjusted,
  greatest(high, high_before) AS high_52w_adjusted,
  least(low, low_before) AS low_52w_adjusted,
  close_adjusted / high_52w_adjusted - 1 AS from_high,
  close_adjusted / low_52w_adjusted - 1 AS from_low,
  high > high_before * (1 + 1e-9) AS is_new_high,
  low < low_before * (1 - 1e-9) AS is_new_low,
  sessions_before + CASE WHEN high IS NULL THEN 0 ELSE 1 END AS sessions
FROM range_before;
COMMENT ON VIEW mart.high_low_52w IS
  'One row per symbol and session with a close: the highest and lowest adjusted price of the 52 weeks up to '
  'it, and where it closed between them.';
COMMENT ON COLUMN mart.high_low_52w.close_adjusted IS
  'close adjusted for corporate actions (mart.daily_adjusted).';
COMMENT ON COLUMN mart.high_low_52w.high_52w_adjusted IS
  'Highest adjusted price matched in this session and the 364 days before it; null where nothing matched in '
  'them.';
COMMENT ON COLUMN mart.high_low_52w.low_52w_adjusted IS
  'Lowest adjusted price matched, as high_52w_adjusted.';
COMMENT ON COLUMN mart.high_low_52w.from_high IS
  'close_adjusted / high_52w_adjusted - 1, a fraction: 0 at the high, below it otherwise.';
COMMENT ON COLUMN mart.high_low_52w.from_low IS
  'close_adjusted / low_52w_adjusted - 1, a fraction: 0 at the low, above it otherwise.';
COMMENT ON COLUMN mart.high_low_52w.is_new_high IS
  'Whether this session traded above every earlier price of the window; null where it did not trade, or '
  'there is no earlier one.';
COMMENT ON COLUMN mart.high_low_52w.is_new_low IS
  'Whether this session traded below every earlier price of the window; null as is_new_high.';
COMMENT ON COLUMN mart.high_low_52w.sessions IS
  'Sessions of the window that are stored and in which something matched: about 250 in a whole year; with '
  'fewer, the window is not whole.';
