-- grain: one row
-- metric: candlehouse_withheld_partitions
-- help: Sessions of relations with rows that readers see as before, as a rule of severity error is broken.
SELECT count(*) AS value FROM (SELECT DISTINCT relation, trading_date FROM metrics_withheld)
