-- grain: one row per ex-date of shares that one account, $account, held at the complete snapshot before it
-- trading_date: that of the first snapshot since. amount: what the reference price of the ex-date takes off a
-- share, VND: paid as money, or as new_shares. Less than half a percent may be the rounding of a reference.
SELECT CAST(change.trading_date AS VARCHAR) AS trading_date, CAST(event.ex_date AS VARCHAR) AS ex_date,
  change.symbol,
  CAST(change.quantity_before AS DOUBLE) AS quantity,
  CAST(event.previous_basis - event.ref_price AS DOUBLE) AS amount,
  CAST(change.quantity_before AS DOUBLE) * (1 / event.factor - 1) AS new_shares
FROM mart.position_change change
JOIN mart.adjustment_event event
  ON event.symbol = change.symbol AND event.ex_date > change.before_of
    AND event.ex_date <= change.trading_date
WHERE change.account_no = $account AND change.quantity_before > 0 AND event.factor < 0.995
  AND event.basis_kind <> 'settlement'
ORDER BY change.trading_date, event.ex_date, change.symbol;
