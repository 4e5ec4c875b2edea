-- grain: one row per symbol and session with a close
-- Three estimates over the symbol's last 20 and 60 sessions with a close, this one included, annualised by
-- sqrt(250): 250 sessions make a year. Each is reported where at least three quarters of the sessions have
-- what it is made of (15 of 20, 45 of 60), else null: with too few returns the estimate is noise.
--   close: standard deviation (n - 1) of ln(1 + close_return_1) of mart.daily_return: from adjusted close to
-- adjusted close on every board. UPCOM's reference is the average of the session before: volatility from it
-- was measured up to 1.56 times off. A session without trades returns zero where its close is reported; the
-- first session of a symbol has no return, nor one whose close before is more than 45 days old.
--   parkinson: sqrt(mean(ln(high / low)^2) / (4 ln 2)), over sessions in which something matched: the night
-- is not in it, and limits and thin trading make it small.
--   intraday: sqrt(mean(realised_variance)) of mart.intraday, from 1m bars: the night is not in it either.
-- From mart.session_factor: sessions within 120 days count.
CREATE OR REPLACE VIEW mart.realised_volatility AS
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind,
  close_volatility_20, close_volatility_60,
  parkinson_volatility_20, parkinson_volatility_60, intraday_volatility_20, intraday_volatility_60
FROM mart.session_factor
WHERE close IS NOT NULL;
COMMENT ON VIEW mart.realised_volatility IS
  'One row per symbol and session with a close: volatility over its last 20 and 60 sessions, a year (x '
  'sqrt(250)), as a fraction (0.3 = 30 %).';
COMMENT ON COLUMN mart.realised_volatility.close_volatility_20 IS
  'Standard deviation of ln(1 + close_return_1) (mart.daily_return) over 20 sessions x sqrt(250), from close '
  'to close on every board; null under 15 returns.';
COMMENT ON COLUMN mart.realised_volatility.close_volatility_60 IS
  'The same, 60 sessions; null under 45 returns.';
COMMENT ON COLUMN mart.realised_volatility.parkinson_volatility_20 IS
  'Parkinson, from high and low of the 20 sessions, without the night: sqrt(mean(ln(high/low)^2) / (4 ln 2) '
  'x 250); null under 15 sessions with trades.';
COMMENT ON COLUMN mart.realised_volatility.parkinson_volatility_60 IS
  'The same, 60 sessions; null under 45 sessions with trades.';
COMMENT ON COLUMN mart.realised_volatility.intraday_volatility_20 IS
  'From 1m bars (mart.intraday.realised_variance), without the night: sqrt(mean x 250) over 20 sessions; '
  'null under 15 sessions with bars.';
COMMENT ON COLUMN mart.realised_volatility.intraday_volatility_60 IS
  'The same, 60 sessions; null under 45 sessions with bars.';
