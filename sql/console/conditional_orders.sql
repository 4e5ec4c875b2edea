-- grain: one row per conditional order, as its latest snapshot has it, and whether it waits
-- One that the account's last snapshot does not name waits until its last day is over.
SELECT latest_order.*,
  status IN ('INIT', 'WAIT', 'TRI') AND (latest_order.snapshot_id = last_read.snapshot_id
    OR coalesce(to_at >= last_read.received_at, true)) AS is_waiting
FROM (
  FROM account.conditional_order
  QUALIFY row_number() OVER (PARTITION BY fco_id ORDER BY snapshot_id DESC) = 1
) latest_order
JOIN (
  SELECT account_no, max(snapshot_id) AS snapshot_id, max(received_at) AS received_at
  FROM account.snapshot
  GROUP BY account_no
) last_read ON last_read.account_no = latest_order.account_no
