-- grain: one row per API key that has read an account: its accounts, and its latest snapshot
SELECT key_name AS name, count(*) FILTER (as_of = newest) AS accounts,
  count(*) FILTER (as_of = newest AND state = 'complete') AS complete, any_value(newest) AS latest
FROM (SELECT *, max(as_of) OVER (PARTITION BY key_name) AS newest FROM ($latest_snapshot))
GROUP BY key_name
ORDER BY key_name;
