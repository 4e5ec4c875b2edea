-- grain: one row per symbol and session in which something matched
-- Prices against the limits of the session, as reported, never computed. Sessions in which nothing matched
-- are passed over: they neither end a streak nor lengthen it (a stock locked at its ceiling may find no
-- seller for a day). A session that traded under limits that were not reported ends it: it is unknown where
-- it closed.
CREATE OR REPLACE VIEW mart.limit_hit AS
WITH traded_session AS (
  SELECT symbol, trading_date, high, low, close,
    CASE WHEN ceiling > floor AND floor > 0 THEN ceiling END AS ceiling,
    CASE WHEN ceiling > floor AND floor > 0 THEN floor END AS floor,
    row_number() OVER (PARTITION BY symbol ORDER BY trading_date) AS session
  FROM mart.daily
  WHERE total_match > 0 AND close > 0
), limit_session AS (
  SELECT *,
    max(session) FILTER (WHERE coalesce(close < ceiling, true)) OVER history AS last_below,
    max(session) FILTER (WHERE coalesce(close > floor, true)) OVER history AS last_above
  FROM traded_session
  WINDOW history AS (PARTITION BY symbol ORDER BY trading_date ROWS UNBOUNDED PRECEDING)
)
SELECT symbol, trading_date, ceiling, floor, high, low, close,
  greatest(high, close) >= ceiling AS touched_ceiling,
  close >= ceiling AS closed_at_ceiling,
  CASE WHEN low > 0 THEN least(low, close) ELSE close END <= floor AS touched_floor,
  close <= floor AS closed_at_floor,
  CASE WHEN close >= ceiling THEN session - coalesce(last_below, 0)
    WHEN close <= floor THEN coalesce(last_above, 0) - session
    WHEN ceiling IS NOT NULL THEN 0 END AS streak
FROM limit_session;
COMMENT ON VIEW mart.limit_hit IS
  'One row per symbol and session in which something matched: whether it touched its ceiling or floor, and '
  'closed there. Raw prices.';
COMMENT ON COLUMN mart.limit_hit.ceiling IS
  'Highest price allowed, VND (futures: index points); null where no limits were reported, or they leave no '
  'room between them.';
COMMENT ON COLUMN mart.limit_hit.floor IS 'Lowest price allowed; null as ceiling.';
COMMENT ON COLUMN mart.limit_hit.touched_ceiling IS
  'Whether something matched at the ceiling; null without limits.';
COMMENT ON COLUMN mart.limit_hit.closed_at_ceiling IS 'Whether close is the ceiling; null without limits.';
COMMENT ON COLUMN mart.limit_hit.touched_floor IS
  'Whether something matched at the floor; null without limits.';
COMMENT ON COLUMN mart.limit_hit.closed_at_floor IS 'Whether close is the floor; null without limits.';
COMMENT ON COLUMN mart.limit_hit.streak IS
  'Closes at the ceiling in a row up to this session (+n), or at the floor (-n); 0 where it closed at '
  'neither; null without limits. Sessions in which nothing matched are passed over.';
