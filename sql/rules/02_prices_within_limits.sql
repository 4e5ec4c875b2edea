-- grain: one row per daily summary of a symbol that traded and has price limits, and one per other price
--   limit whose floor is above its ceiling
-- rule: 2
-- title: floor ≤ low and high ≤ ceiling
-- severity: error
-- about: market
-- reach: back 0 days, forward 0 days
-- per: symbol
-- needs: a daily summary with matched volume and the price limits of the same session
-- silence: where symbols traded and price limits were answered, limits or summaries have lost their prices:
--   nothing shows that the prices are possible
-- why: the exchange takes no order beyond the limits; 1,253 of 1,253 on real data. Where the limits
--   contradict themselves, or candles of the session reached the same prices, the limits are wrong; else the
--   summary is
-- evidence: 100 % of 1,253 rows, all boards, days not recorded, docs/market-facts.md#pass-rates
-- evidence: none measured, HOSE
-- evidence: none measured, HNX
-- evidence: none measured, UPCOM
-- evidence: none measured, DERIVATIVE
-- tolerance: none: limits are read from the service, never computed
WITH compared AS (
  SELECT day.symbol, day.trading_date, day.low, day.high, floor, ceiling,
    floor <= day.low AND day.high <= ceiling AS is_within,
    floor >= ceiling OR coalesce(ref_price NOT BETWEEN floor AND ceiling, false)
      OR (day.high <= ceiling OR coalesce(day.high = bar.high, false))
        AND (floor <= day.low OR coalesce(day.low = bar.low, false)) AS limits_are_wrong
  FROM audit_day day LEFT JOIN session_bar bar USING (symbol, trading_date)
  WHERE total_match > 0 AND day.low > 0 AND day.high > 0 AND floor > 0 AND ceiling > 0
), contradiction AS (
  -- no trade is needed to see it, and a summary may have lost its volume
  SELECT symbol, trading_date, floor, ceiling
  FROM market.price_limit
  SEMI JOIN audit_session USING (trading_date)
  ANTI JOIN compared USING (symbol, trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    AND ceiling > 0 AND floor > ceiling
)
SELECT trading_date, 'market' AS subject,
  CASE WHEN NOT is_within AND limits_are_wrong THEN 'market.price_limit' ELSE 'market.daily_summary' END
    AS relation,
  day_key(symbol, trading_date) AS key,
  as_text(floor) || ' to ' || as_text(ceiling) AS expected,
  as_text(low) || ' to ' || as_text(high) AS actual,
  greatest(floor - low, high - ceiling) AS residual,
  CASE WHEN is_within THEN 'pass' ELSE 'break' END AS result
FROM compared
UNION ALL
SELECT trading_date, 'market', 'market.price_limit', day_key(symbol, trading_date),
  'a floor below the ceiling', as_text(floor) || ' to ' || as_text(ceiling), floor - ceiling, 'break'
FROM contradiction
