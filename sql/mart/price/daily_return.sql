-- grain: one row per symbol and trading_date with a close
-- return_1 is close / ref_price - 1: the exchange's own reference is already ex-rights. On a day whose
-- references are at fault (mart.reference_glitch), and where none was reported, it is taken from adjusted
-- closes instead. On UPCOM the reference is the average of the session before, so that returns against it do
-- not compound to those from close to close; all returns over several sessions are from adjusted closes.
-- Sessions are those that the symbol has a close of: a session that is missing, or that it did not trade in,
-- is passed over, so n sessions may be longer in days.
CREATE OR REPLACE VIEW mart.daily_return AS
WITH close_history AS (
  SELECT symbol, trading_date, close, close_adjusted,
    lag(close_adjusted, 1) OVER history AS before_1,
    lag(close_adjusted, 5) OVER history AS before_5,
    lag(close_adjusted, 20) OVER history AS before_20,
    lag(close_adjusted, 60) OVER history AS before_60,
    lag(close_adjusted, 250) OVER history AS before_250
  FROM mart.daily_adjusted
  WHERE close > 0
  WINDOW history AS (PARTITION BY symbol ORDER BY trading_date)
), close_reference AS (
  SELECT close_history.*,
    CASE WHEN glitch.trading_date IS NULL AND band.ref_price > 0 THEN band.ref_price END AS ref_price
  FROM close_history
  LEFT JOIN market.price_limit band
    ON band.symbol = close_history.symbol AND band.trading_date = close_history.trading_date
  LEFT JOIN mart.reference_glitch glitch ON glitch.trading_date = close_history.trading_date
)
SELECT symbol, trading_date, close, ref_price,
  coalesce(CAST(close AS DOUBLE) / CAST(ref_price AS DOUBLE), close_adjusted / before_1) - 1 AS return_1,
  ln(nullif(1 + return_1, 0)) AS log_return_1,
  close_adjusted / before_1 - 1 AS close_return_1,
  close_adjusted / before_5 - 1 AS return_5,
  close_adjusted / before_20 - 1 AS return_20,
  close_adjusted / before_60 - 1 AS return_60,
  close_adjusted / before_250 - 1 AS return_250
FROM close_reference;
COMMENT ON VIEW mart.daily_return IS
  'One row per symbol and session with a close: returns, as fractions (0.01 = 1 %), corporate actions taken '
  'out.';
COMMENT ON COLUMN mart.daily_return.ref_price IS
  'Reference price; null where none was reported, or where the references of that day are at fault '
  '(mart.reference_glitch).';
COMMENT ON COLUMN mart.daily_return.return_1 IS
  'close / ref_price - 1; without a reference that can be believed, close_return_1.';
COMMENT ON COLUMN mart.daily_return.log_return_1 IS
  'ln(1 + return_1); null where nothing is left of the price to fifteen digits, as after a misplaced unit.';
COMMENT ON COLUMN mart.daily_return.close_return_1 IS
  'From the adjusted close of the symbol''s session before: differs from return_1 on UPCOM, whose reference '
  'is an average; null on its first session.';
COMMENT ON COLUMN mart.daily_return.return_5 IS
  'From adjusted closes, 5 of the symbol''s sessions; null while there are fewer.';
COMMENT ON COLUMN mart.daily_return.return_20 IS 'The same, 20 sessions.';
COMMENT ON COLUMN mart.daily_return.return_60 IS 'The same, 60 sessions.';
COMMENT ON COLUMN mart.daily_return.return_250 IS 'The same, 250 sessions.';
