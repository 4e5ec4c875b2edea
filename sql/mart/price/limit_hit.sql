-- grain: one row per symbol and session in which something matched
-- Prices against the limits of the session, as reported, never computed. Sessions in which nothing matched
-- are passed over: they neither end a streak nor lengthen it (a stock locked at its ceiling may find no
-- seller for a day). A session that traded under limits that were not reported ends it: it is unknown where
-- it closed.
-- The streak comes from mart.session_factor, which counts within 120 days.
CREATE OR REPLACE VIEW mart.limit_hit AS
WITH traded_session AS (
  SELECT symbol, trading_date, kind, high, low, close,
    CASE WHEN ceiling > floor AND floor > 0 THEN ceiling END AS ceiling,
    CASE WHEN ceiling > floor AND floor > 0 THEN floor END AS floor
  FROM mart.daily
  WHERE total_match > 0 AND close > 0
)
SELECT session.symbol, session.trading_date, session.kind, session.ceiling, session.floor,
  session.high, session.low, session.close,
  greatest(session.high, session.close) >= session.ceiling AS touched_ceiling,
  session.close >= session.ceiling AS closed_at_ceiling,
  CASE WHEN session.low > 0 THEN least(session.low, session.close)
    ELSE session.close END <= session.floor AS touched_floor,
  session.close <= session.floor AS closed_at_floor,
  factor.limit_streak AS streak
FROM traded_session session
LEFT JOIN mart.session_factor factor
  ON factor.symbol = session.symbol AND factor.trading_date = session.trading_date;
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
  'neither; null without limits. Sessions in which nothing matched are passed over; 120 days count.';
