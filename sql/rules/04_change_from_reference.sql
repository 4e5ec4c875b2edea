-- grain: one row per daily summary of a symbol that traded and has a reference price
-- rule: 4
-- title: close − price_change = ref_price, and the percentage agrees
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: a daily summary with matched volume and the reference price of the same session
-- why: price_change is defined against the reference price; a close of another day or a wrong reference shows
--   here
-- evidence: none measured
-- tolerance: prices none; percentages 0.01, since they are written with two decimals and may be cut instead
--   of rounded
WITH comparison AS (
  SELECT *,
    num(close) - num(price_change) - num(ref_price) AS off,
    CASE WHEN price_change_percentage IS NOT NULL
      THEN price_change_percentage - 100 * num(price_change) / num(ref_price) END AS percent_off
  FROM audit_day
  WHERE total_match > 0 AND close > 0 AND ref_price > 0 AND price_change IS NOT NULL
)
SELECT trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  day_key(symbol, trading_date) AS key,
  CASE WHEN abs(off) > 1e-6 THEN 'close ' || as_text(num(ref_price) + num(price_change))
    ELSE as_text(round(100 * num(price_change) / num(ref_price), 4)) || ' %' END AS expected,
  CASE
    WHEN abs(off) > 1e-6 THEN 'close ' || as_text(close)
    ELSE as_text(price_change_percentage) || ' %'
  END AS actual,
  CASE WHEN abs(off) > 1e-6 THEN off ELSE percent_off END AS residual,
  CASE WHEN abs(off) > 1e-6 OR abs(coalesce(percent_off, 0)) > 0.0101 THEN 'break' ELSE 'pass' END AS result
FROM comparison
