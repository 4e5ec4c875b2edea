-- grain: one row per symbol and trading_date with a close
-- Amihud (2002): the mean of |return| / traded value over sessions, here in returns per billion VND: by
-- how much a billion VND of matched trading has moved the price. Returns are from adjusted close to
-- adjusted close (mart.daily_return), value is matched: put-through deals move no price in the order book.
-- A session in which nothing matched has no ratio and counts in the window without one; at least 15 of 20
-- and 45 of 60 are needed. Windows count the symbol's sessions with a close, within 120 days. One session
-- is faster by mart.illiquidity_between: a filter by date does not go down into it.
CREATE OR REPLACE VIEW mart.illiquidity AS
SELECT symbol, trading_date, kind, close_return_1, total_match_value, illiquidity_1, illiquidity_20,
  sessions_20, illiquidity_60, sessions_60
FROM mart.illiquidity_between(DATE '0001-01-01', DATE '9999-12-31');
COMMENT ON VIEW mart.illiquidity IS
  'One row per symbol and session with a close: illiquidity by Amihud, |return| per billion VND matched.';
COMMENT ON COLUMN mart.illiquidity.close_return_1 IS
  'From the adjusted close of the symbol''s session before, a fraction; null for its first one.';
COMMENT ON COLUMN mart.illiquidity.illiquidity_1 IS
  '|close_return_1| / total_match_value x 1e9: a fraction per billion VND, of this session; null where '
  'nothing matched or the return is.';
COMMENT ON COLUMN mart.illiquidity.illiquidity_20 IS
  'Mean of illiquidity_1 over the last 20 sessions, a fraction per billion VND; null under 15 ratios.';
COMMENT ON COLUMN mart.illiquidity.sessions_20 IS 'Ratios in the last 20 sessions.';
COMMENT ON COLUMN mart.illiquidity.illiquidity_60 IS
  'Mean of illiquidity_1 over the last 60 sessions; null under 45 ratios.';
COMMENT ON COLUMN mart.illiquidity.sessions_60 IS 'Ratios in the last 60 sessions.';
