-- grain: one row per symbol that matched, and timeframe that was requested
-- rule: 36
-- title: a symbol that matched has bars
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- per: symbol
-- needs: daily summaries with matched volume whose 1d or 1m bars were requested
-- why: every match is in a bar: no bar in an answer that the service calls complete is a hole that no gap
--   shows
-- evidence: none measured
-- tolerance: none
WITH bar_request AS (
  SELECT day.trading_date, day.symbol, day.total_match, answer.timeframe, answer.state,
    CASE answer.timeframe WHEN '1d' THEN day_bar.symbol ELSE minute_sum.symbol END IS NOT NULL AS has_bars
  FROM audit_day day
  JOIN audit_bar_coverage answer
    ON answer.key = day.symbol AND answer.trading_date = day.trading_date
    AND answer.timeframe IN ('1d', '1m') AND answer.state IN ('complete', 'empty')
  LEFT JOIN day_bar ON day_bar.symbol = day.symbol AND day_bar.trading_date = day.trading_date
  LEFT JOIN minute_sum ON minute_sum.symbol = day.symbol AND minute_sum.trading_date = day.trading_date
  WHERE day.total_match > 0
)
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation,
  CAST(json_object('symbol', symbol, 'timeframe', timeframe, 'trading_date',
    CAST(trading_date AS VARCHAR)) AS VARCHAR) AS key,
  'bars of ' || as_text(total_match) || ' matched' AS expected, 'none, ' || state AS actual, NULL AS residual,
  CASE WHEN has_bars THEN 'pass' ELSE 'break' END AS result
FROM bar_request
