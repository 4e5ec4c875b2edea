-- grain: one row
-- metric: candlehouse_withheld_symbols
-- help: Symbols per session and relation that are withheld by name, without withheld whole sessions.
SELECT count(*) AS value
FROM (SELECT DISTINCT relation, trading_date, unnest(keys) AS key FROM metrics_withheld)
