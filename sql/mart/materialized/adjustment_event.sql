-- grain: one row per symbol and ex_date of the sessions to refresh: a corporate action, as its reference
--   price shows it or as it was declared
-- Reads reference_break, the rows of sql/refresh/reference_break.sql.
FROM mart.corporate_event('reference_break', 'market.price_limit', 'market.daily_summary',
  'market.corporate_action', getvariable('refresh_first'), getvariable('refresh_last'))
