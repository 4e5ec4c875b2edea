-- grain: one row per price limit with all three prices
-- rule: 40
-- title: floor < reference < ceiling, as far on one side as on the other
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: price limits above zero
-- why: limits are a percentage around the reference. Both are rounded to the tick inwards, so they differ by
--   up to two ticks; no rate was measured for the sides, so a lopsided band is soft
-- evidence: none measured
-- tolerance: for the sides 1 % of the reference or 200 VND (two of the largest ticks), futures 0.2 points; a
--   price of one tick (10 VND) cannot fall: it is its own floor, and its band has one side
WITH band AS (
  SELECT trading_date, symbol, floor, ceiling, ref_price,
    mart.instrument_kind(symbol, NULL) = 'future' AS future,
    num(ceiling) - num(ref_price) AS up, num(ref_price) - num(floor) AS down
  FROM market.price_limit SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    AND floor > 0 AND ceiling > 0 AND ref_price > 0
)
SELECT trading_date, 'market' AS subject, 'market.price_limit' AS relation,
  day_key(symbol, trading_date) AS key,
  'around ' || as_text(ref_price) AS expected, as_text(floor) || ' to ' || as_text(ceiling) AS actual,
  up - down AS residual,
  CASE
    WHEN up <= 0 OR down < 0 OR down = 0 AND ref_price > 10 THEN 'break'
    WHEN abs(up - down) > greatest(0.01 * num(ref_price), CASE WHEN future THEN 0.2 ELSE 200 END) THEN 'soft'
    ELSE 'pass'
  END AS result
FROM band
