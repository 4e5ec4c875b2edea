-- grain: one row per daily summary with matched volume with ordered volumes
-- rule: 15
-- title: ordered volume of each side ≥ matched volume
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: a daily summary with matched volume and both ordered volumes above zero
-- why: what matched was ordered, on both sides; 97 % on real data, the rest zero or null, which means
--   missing. Of total_buy and total_trade_buy one is the volume, the other the number of orders, and
--   deployments differ: the volume is the one that is larger for most symbols of the session
-- evidence: 97 % of an unknown number of rows, all boards, days not recorded,
--   docs/market-facts.md#pass-rates
-- evidence: 98.58 % of 1,060 sessions of a source that rounds values before its step was allowed, all
--   boards, days not recorded, docs/market-facts.md#pass-rates
-- tolerance: none; where the source rounds values or volumes, half a step of each of the two
--   (audit_rounding)
WITH column_meaning AS (
  SELECT trading_date, count_if(total_trade_buy > total_buy)
    > count_if(total_buy >= total_trade_buy) AS swapped
  FROM audit_day WHERE total_buy > 0 AND total_trade_buy > 0 GROUP BY trading_date
), ordered_volume AS (
  SELECT trading_date, symbol, total_match,
    CASE WHEN swapped THEN total_trade_buy ELSE total_buy END AS buy,
    CASE WHEN swapped THEN total_trade_sell ELSE total_sell END AS sell,
    2 * volume_slack(value_half, volume_half, low, multiplier) AS slack
  FROM audit_day
  LEFT JOIN column_meaning USING (trading_date)
  JOIN audit_rounding USING (trading_date)
)
SELECT trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  day_key(symbol, trading_date) AS key,
  'at least ' || as_text(total_match) AS expected,
  'buy ' || as_text(buy) || ', sell ' || as_text(sell) AS actual,
  num(least(buy, sell)) - num(total_match) AS residual,
  CASE WHEN num(least(buy, sell)) >= num(total_match) - slack THEN 'pass' ELSE 'break' END AS result
FROM ordered_volume
WHERE total_match > 0 AND buy > 0 AND sell > 0
