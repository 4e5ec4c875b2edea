-- grain: one row per API key that has read an account: its accounts, and its latest snapshot
SELECT key_name AS name, any_value(newest) AS latest, (count(*) FILTER (as_of = newest))::INTEGER AS accounts,
  (count(*) FILTER (as_of = newest AND state = 'complete'))::INTEGER AS complete
FROM (SELECT *, max(as_of) OVER (PARTITION BY key_name) AS newest FROM ($latest_snapshot))
GROUP BY key_name
ORDER BY key_name;
