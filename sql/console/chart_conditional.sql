-- grain: one row per conditional order of the symbol that waits, and price that would trigger it
-- As its latest snapshot has it. An order whose last day was over when the account was last read waits no
-- longer.
WITH latest_order AS (
  FROM account.conditional_order
  WHERE symbol = $symbol
  QUALIFY row_number() OVER (PARTITION BY fco_id ORDER BY snapshot_id DESC) = 1
), last_read AS (
  SELECT account_no, max(received_at) AS received_at
  FROM account.snapshot
  GROUP BY account_no
), waiting_order AS (
  SELECT latest_order.*
  FROM latest_order
  JOIN last_read USING (account_no)
  WHERE status IN ('INIT', 'WAIT', 'TRI') AND coalesce(to_at >= last_read.received_at, true)
), trigger_price AS (
  SELECT *, 'stop' AS trigger_kind, stop_price AS trigger_price FROM waiting_order
  UNION ALL BY NAME
  SELECT *, 'activation' AS trigger_kind, active_price AS trigger_price FROM waiting_order
  UNION ALL BY NAME
  SELECT *, 'take profit' AS trigger_kind, tp_active_price AS trigger_price FROM waiting_order
  UNION ALL BY NAME
  SELECT *, 'stop loss' AS trigger_kind, sl_active_price AS trigger_price FROM waiting_order
)
SELECT account_no, fco_id, type, side, quantity, status, trigger_kind, trigger_price, to_at
FROM trigger_price
WHERE trigger_price > 0
ORDER BY trigger_price, fco_id, trigger_kind
