-- grain: one row per API key whose accounts were ever read whole
-- metric: candlehouse_complete_snapshot_timestamp_seconds
-- help: When the accounts of the key were last read whole: of several the one that was read longest ago.
-- unit: seconds
WITH account_read AS (
  SELECT key_name, account_no, max(as_of) AS last_day,
    max(received_at) FILTER (state = 'complete') AS complete_at
  FROM account.snapshot
  WHERE account_no <> '*'
  GROUP BY key_name, account_no
)
-- accounts that the key no longer lists are left out
SELECT key_name AS key, min(epoch_ms(complete_at)) / 1000 AS value
FROM (SELECT *, max(last_day) OVER (PARTITION BY key_name) AS newest_day FROM account_read)
WHERE last_day = newest_day
GROUP BY key_name
ORDER BY key_name
