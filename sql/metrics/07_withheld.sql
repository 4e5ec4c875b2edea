-- grain: one row
-- metric: candlehouse_withheld_partitions
-- help: Sessions of relations that readers see as they were before, since a rule of severity error is broken.
SELECT count(*) AS value FROM (SELECT DISTINCT relation, trading_date FROM metrics_withheld)
