-- grain: one row per account, trading date and symbol that its complete snapshot names
-- Shares and contracts in one list: contracts by the summary of positions, net.
CREATE OR REPLACE VIEW mart.account_position AS
WITH position AS (
  SELECT snapshot_id, account_no, symbol, quantity, dividend_quantity,
    CASE WHEN cost_price > 0 THEN cost_price END AS average_price, 1 AS multiplier
  FROM account.equity_position
  UNION ALL
  SELECT snapshot_id, account_no, symbol, net, NULL,
    CASE WHEN net > 0 AND bid_avg_price > 0 THEN bid_avg_price
      WHEN net < 0 AND ask_avg_price > 0 THEN ask_avg_price END,
    mart.multiplier(symbol)
  FROM account.derivative_position_summary
)
SELECT day.account_no, day.trading_date, day.snapshot_id, position.symbol, position.quantity,
  position.dividend_quantity, position.average_price, position.multiplier
FROM mart.account_day day
JOIN position ON position.snapshot_id = day.snapshot_id AND position.account_no = day.account_no;
COMMENT ON VIEW mart.account_position IS
  'One row per account, trading date and symbol held: positions of the day''s complete snapshot, shares and '
  'contracts alike. mart.position_value has them valued.';
