-- grain: one row per session to refresh on which the reference prices of many symbols differ from their basis
--   at once
SELECT ex_date AS trading_date, count_if(differs) AS differing, count(*) AS compared
FROM mart.adjustment_candidate(getvariable('refresh_first'), getvariable('refresh_last'))
WHERE market_wide
GROUP BY ex_date
