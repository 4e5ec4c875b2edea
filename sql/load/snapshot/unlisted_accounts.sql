-- Accounts that the API key read last and that its complete list does not name. Their latest snapshot may be
-- partial. A snapshot whose reason begins with $phrase has no rows: it counts as a day without the account.
-- $key_name, $day: of the snapshot being loaded
-- reads: account.snapshot, received_account

-- grain: one row per account that the list lacks
-- unlisted_days: earlier trading dates, after the account's latest snapshot, on which the list lacked it too
WITH latest AS (
  SELECT account_no, max(snapshot_id) AS snapshot_id, arg_max(as_of, snapshot_id) AS as_of,
    arg_max(key_name, snapshot_id) AS key_name
  FROM account.snapshot
  WHERE missing IS NULL OR NOT starts_with(missing, $phrase)
  GROUP BY account_no
), unlisted_day AS (
  SELECT snapshot.account_no, count(DISTINCT snapshot.as_of) AS days
  FROM account.snapshot snapshot
  JOIN latest ON latest.account_no = snapshot.account_no AND snapshot.snapshot_id > latest.snapshot_id
  WHERE snapshot.as_of < $day::DATE AND starts_with(snapshot.missing, $phrase)
  GROUP BY snapshot.account_no
)
SELECT latest.account_no, CAST(latest.as_of AS VARCHAR) AS read_on,
  CAST(coalesce(unlisted_day.days, 0) AS INTEGER) AS unlisted_days
FROM latest
ANTI JOIN received_account ON received_account.account_no = latest.account_no
LEFT JOIN unlisted_day ON unlisted_day.account_no = latest.account_no
WHERE latest.key_name = $key_name
ORDER BY latest.account_no;
