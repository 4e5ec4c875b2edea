-- grain: one row per symbol and session to refresh whose adjustment to the session before is not known
-- Reads reference_break, the rows of sql/refresh/reference_break.sql. Runs after mart.adjustment_event.
FROM mart.unknown_link('reference_break', 'mart.adjustment_event', 'market.price_limit',
  'market.daily_summary', getvariable('refresh_first'), getvariable('refresh_last'))
