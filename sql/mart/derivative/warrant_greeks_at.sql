-- grain: one row per covered warrant and trading_date that has a daily summary
-- of_rate: riskless interest per year, continuously compounded, a fraction (0.04 = 4 %). The warrant is
-- taken for a European call on 1 / exercise_ratio shares that ends at maturity_date with the close of that
-- day: it is settled by the mean of the last five closes, which makes the last days worth less than this.
-- Years are calendar days / 365. No volatility, and no delta, where a price or a term is not known, on the
-- maturity date and after it, and where the warrant costs no more than it is worth without volatility.
CREATE OR REPLACE MACRO mart.warrant_greeks_at(of_rate) AS TABLE
WITH call AS (
  SELECT symbol, trading_date, underlying, close, underlying_close, exercise_price, exercise_ratio,
    terms_valid_from, gearing, maturity_date, days_to_maturity,
    CAST(of_rate AS DOUBLE) AS rate,
    CASE WHEN days_to_maturity > 0 THEN CAST(days_to_maturity AS DOUBLE) / 365 END AS years,
    CAST(close AS DOUBLE) * exercise_ratio AS price,
    CAST(underlying_close AS DOUBLE) AS spot,
    CAST(exercise_price AS DOUBLE) * exp(-CAST(of_rate AS DOUBLE) * years) AS discounted
  FROM mart.covered_warrant
), implied AS (
  SELECT *, mart.implied_volatility(price, spot, discounted, years) AS implied_volatility
  FROM call
)
SELECT symbol, trading_date, underlying, close, underlying_close, exercise_price, exercise_ratio,
  terms_valid_from, maturity_date, days_to_maturity, rate, implied_volatility,
  mart.normal_cdf(ln(spot / discounted) / (implied_volatility * sqrt(years))
    + implied_volatility * sqrt(years) / 2) AS share_delta,
  share_delta / exercise_ratio AS delta,
  gearing * share_delta AS effective_gearing
FROM implied;
COMMENT ON MACRO TABLE mart.warrant_greeks_at IS
  'Implied volatility and delta of covered warrants at a rate per year: columns as in mart.warrant_greeks, '
  'which is warrant_greeks_at(0.04).';
