-- grain: one row per session to refresh on which the reference prices of many symbols differ from their basis
--   at once
-- Reads reference_break, the rows of sql/refresh/reference_break.sql.
SELECT ex_date AS trading_date, count_if(differs) AS differing, count(*) AS compared
FROM reference_break
WHERE market_wide AND ex_date BETWEEN getvariable('refresh_first') AND getvariable('refresh_last')
GROUP BY ex_date
