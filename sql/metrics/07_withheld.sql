-- grain: one row
-- metric: candlehouse_withheld_partitions
-- help: Sessions of relations that readers see as they were before, since a rule of severity error is broken.
SELECT count(*) AS value FROM (
  SELECT DISTINCT unnest(string_split(relations, ',')) AS relation, trading_date FROM recon.finding
  WHERE severity = 'error' AND state = 'break' AND accepted IS NULL
)
