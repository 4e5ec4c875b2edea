-- grain: one row per symbol and session to refresh whose adjustment to the session before is not known
-- Reads reference_break, the rows of sql/refresh/reference_break.sql. Runs after mart.adjustment_event.
WITH session AS (
  SELECT symbol, trading_date FROM market.price_limit
  WHERE trading_date BETWEEN getvariable('refresh_first') AND getvariable('refresh_last')
  UNION
  SELECT symbol, trading_date FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('refresh_first') AND getvariable('refresh_last')
), link AS (
  SELECT session.symbol, session.trading_date, CASE
    WHEN event.state = 'contradicted' THEN 'contradicted'
    WHEN event.state = 'confirmed' OR compared.is_event THEN NULL
    WHEN event.state = 'declared' AND compared.symbol IS NOT NULL AND NOT compared.market_wide
      AND event.factor = 1 AND event.declared_factor <> 1 THEN 'not_shown'
    WHEN event.state = 'declared' AND event.declared_factor IS NOT NULL THEN NULL
    WHEN compared.symbol IS NULL THEN 'not_compared'
    WHEN compared.market_wide THEN 'market_wide'
    WHEN compared.differs AND compared.factor > 1 THEN 'rise'
    WHEN compared.is_beyond_limit AND NOT compared.differs THEN 'beyond_limit'
  END AS reason
  FROM session
  LEFT JOIN reference_break compared
    ON compared.symbol = session.symbol AND compared.ex_date = session.trading_date
  LEFT JOIN mart.adjustment_event event
    ON event.symbol = session.symbol AND event.ex_date = session.trading_date
)
SELECT symbol, trading_date, reason
FROM link
WHERE reason IS NOT NULL
