-- grain: one row per conditional order of the symbol that waits, and price that would trigger it
WITH waiting_order AS (
  FROM ($conditional_order)
  WHERE is_waiting AND symbol = $symbol
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
