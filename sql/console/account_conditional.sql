-- grain: one row per conditional order, as its latest snapshot has it; those that wait first
-- Of one account, or of all: ALL. close is the symbol's latest one, raw.
WITH latest_close AS (
  SELECT symbol, max(trading_date) AS closed_on, arg_max(close, trading_date) AS close
  FROM market.daily_summary
  WHERE close > 0 AND symbol IN (SELECT symbol FROM account.conditional_order)
  GROUP BY symbol
)
SELECT conditional.account_no, fco_id, conditional.symbol, type, side, quantity, matched_quantity, price,
  order_type, status, is_waiting, stop_price, operator, active_price, trailing_amount, tp_active_price,
  tp_price, sl_active_price, sl_price, latest_close.close, latest_close.closed_on, from_at, to_at
FROM ($conditional_order) conditional
LEFT JOIN latest_close ON latest_close.symbol = conditional.symbol
WHERE $account IN ('ALL', conditional.account_no)
ORDER BY is_waiting DESC, from_at DESC NULLS LAST, conditional.account_no, fco_id
