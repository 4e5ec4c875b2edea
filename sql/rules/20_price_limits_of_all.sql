-- grain: one row per symbol and session on which it was listed
-- rule: 20
-- title: every listed symbol has price limits, of its board
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- needs: complete price limits of the session, and a security list
-- why: the exchange sets them for whatever may trade. Another board than that of the list of
--   that session is a transfer
-- evidence: none measured
-- tolerance: none
WITH complete_session AS (
  SELECT trading_date FROM audit_coverage WHERE dataset = 'masterdata' AND key = '*' AND state = 'complete'
), limit_count AS (
  SELECT trading_date, symbol, count(*) AS rows, any_value(upper(exchange)) AS exchange
  FROM market.price_limit SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  GROUP BY trading_date, symbol
)
SELECT trading_date, 'market' AS subject, 'market.price_limit' AS relation,
  day_key(symbol, trading_date) AS key,
  'one, on ' || coalesce(trading_board, 'its board') AS expected,
  CASE
    WHEN rows IS NULL THEN 'none'
    WHEN rows > 1 THEN CAST(rows AS VARCHAR)
    ELSE 'one, on ' || exchange
  END AS actual,
  coalesce(rows, 0) - 1 AS residual,
  CASE
    WHEN coalesce(rows, 0) <> 1 THEN 'break'
    -- futures trade beside the board that lists them
    WHEN kind <> 'future' AND exchange <> upper(trading_board) THEN 'soft'
    ELSE 'pass'
  END AS result
FROM listed_symbol SEMI JOIN complete_session USING (trading_date)
LEFT JOIN limit_count USING (trading_date, symbol)
