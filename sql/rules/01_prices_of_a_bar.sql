-- grain: one row per daily summary and per fetched bar with all four prices above zero
-- rule: 1
-- title: low ≤ open and close ≤ high
-- severity: error
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: a daily summary or a bar with all four prices above zero
-- why: prices of one bar come from the same trades; 30,638 of 30,638 on real data, so whatever breaks it is a
--   fault
-- tolerance: none
WITH bar_prices AS (
  SELECT trading_date, 'market.daily_summary' AS relation, symbol, NULL AS timeframe, NULL AS opened_at, open,
    high, low, close
  FROM audit_day
  UNION ALL
  SELECT trading_date, 'market.candle', symbol, timeframe, opened_at, open, high, low, close
  FROM market.candle SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
)
SELECT trading_date, 'market' AS subject, relation,
  CASE
    WHEN timeframe IS NULL THEN day_key(symbol, trading_date)
    ELSE bar_key(symbol, timeframe, opened_at)
  END AS key,
  'low ' || as_text(least(open, low, close)) || ', high ' || as_text(greatest(open, high, close)) AS expected,
  'low ' || as_text(low) || ', high ' || as_text(high) AS actual,
  greatest(low - least(open, close), greatest(open, close) - high) AS residual,
  CASE WHEN low <= least(open, close) AND greatest(open, close) <= high THEN 'pass' ELSE 'break' END AS result
FROM bar_prices
WHERE open > 0 AND high > 0 AND low > 0 AND close > 0
