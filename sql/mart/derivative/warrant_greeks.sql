-- grain: one row per covered warrant and trading_date that has a daily summary
-- mart.warrant_greeks_at by a rate of 4 % per year. Warrants last some months: a rate off by one
-- percentage point moves the implied volatility of one at the money by about one point.
CREATE OR REPLACE VIEW mart.warrant_greeks AS
SELECT symbol, trading_date, underlying, close, underlying_close, exercise_price, exercise_ratio,
  terms_valid_from, maturity_date, days_to_maturity, rate, implied_volatility, share_delta, delta,
  effective_gearing
FROM mart.warrant_greeks_at(0.04);
COMMENT ON VIEW mart.warrant_greeks IS
  'One row per covered warrant and session: implied volatility and delta by Black-Scholes, European call, at '
  '4 % per year. Other rates: mart.warrant_greeks_at.';
COMMENT ON COLUMN mart.warrant_greeks.symbol IS 'Covered warrant.';
COMMENT ON COLUMN mart.warrant_greeks.underlying IS
  'Stock that it is a right to; null where no list states it.';
COMMENT ON COLUMN mart.warrant_greeks.close IS 'Last price of the warrant, VND, raw; null without one.';
COMMENT ON COLUMN mart.warrant_greeks.underlying_close IS
  'Last price of the underlying on that session, VND, raw; null without one.';
COMMENT ON COLUMN mart.warrant_greeks.exercise_price IS
  'Exercise price of the session, VND per share; null where it is not stated.';
COMMENT ON COLUMN mart.warrant_greeks.exercise_ratio IS
  'Warrants for one share; null where it cannot be read.';
COMMENT ON COLUMN mart.warrant_greeks.terms_valid_from IS
  'Trading date of the list that first stated these terms: after trading_date, the terms of that session may '
  'have been others.';
COMMENT ON COLUMN mart.warrant_greeks.maturity_date IS 'Maturity; null where no list states it.';
COMMENT ON COLUMN mart.warrant_greeks.days_to_maturity IS 'Calendar days up to maturity.';
COMMENT ON COLUMN mart.warrant_greeks.rate IS
  'Riskless interest per year, continuously compounded, a fraction: an assumption, not data.';
COMMENT ON COLUMN mart.warrant_greeks.implied_volatility IS
  'Volatility per year, a fraction, at which the warrant costs its close; null where no volatility between 0 '
  'and 5 does, on the maturity date, and where a price or a term is not known. Comparable with '
  'close_volatility_60 of the underlying.';
COMMENT ON COLUMN mart.warrant_greeks.share_delta IS
  'VND by which exercise_ratio warrants move per VND of the underlying, 0 to 1; null as implied_volatility.';
COMMENT ON COLUMN mart.warrant_greeks.delta IS
  'VND by which one warrant moves per VND of the underlying: share_delta / exercise_ratio.';
COMMENT ON COLUMN mart.warrant_greeks.effective_gearing IS
  'Percent by which the warrant moves per percent of the underlying: gearing x share_delta.';
