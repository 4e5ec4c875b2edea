-- grain: one row per adjustment event of the symbol
SELECT *
FROM mart.adjustment_event
WHERE symbol = $symbol
ORDER BY ex_date
