-- grain: one row per daily summary of a symbol that traded and has price limits
-- rule: 2
-- title: floor ≤ low and high ≤ ceiling
-- severity: error
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: a daily summary with matched volume and the price limits of the same session
-- silence: where symbols traded and price limits were answered, limits or summaries have lost their prices:
--   nothing shows that the prices are possible
-- why: the exchange takes no order beyond the limits; 1,253 of 1,253 on real data
-- evidence: HOSE not measured alone, 1,253 of 1,253 rows of all boards; HNX not measured alone; UPCOM not
--   measured alone; DERIVATIVE not measured
-- tolerance: none: limits are read from the service, never computed
SELECT trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  day_key(symbol, trading_date) AS key,
  as_text(floor) || ' to ' || as_text(ceiling) AS expected,
  as_text(low) || ' to ' || as_text(high) AS actual,
  greatest(floor - low, high - ceiling) AS residual,
  CASE WHEN floor <= low AND high <= ceiling THEN 'pass' ELSE 'break' END AS result
FROM audit_day
WHERE total_match > 0 AND low > 0 AND high > 0 AND floor > 0 AND ceiling > 0
