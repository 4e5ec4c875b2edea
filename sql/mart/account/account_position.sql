-- grain: one row per account, trading date and symbol that its complete snapshot names
-- Shares and contracts in one list: contracts by the summary of positions, net.
CREATE OR REPLACE VIEW mart.account_position AS
SELECT day.account_no, day.trading_date, day.snapshot_id, position.symbol, position.quantity,
  position.dividend_quantity,
  CASE WHEN position.cost_price > 0 THEN position.cost_price END AS average_price, 1 AS multiplier
FROM mart.account_day day
JOIN account.equity_position position
  ON position.snapshot_id = day.snapshot_id AND position.account_no = day.account_no
UNION ALL
SELECT day.account_no, day.trading_date, day.snapshot_id, position.symbol, position.net, NULL,
  CASE WHEN position.net > 0 AND position.bid_avg_price > 0 THEN position.bid_avg_price
    WHEN position.net < 0 AND position.ask_avg_price > 0 THEN position.ask_avg_price END,
  mart.multiplier(position.symbol)
FROM mart.account_day day
JOIN account.derivative_position_summary position
  ON position.snapshot_id = day.snapshot_id AND position.account_no = day.account_no;
COMMENT ON VIEW mart.account_position IS
  'One row per account, trading date and symbol held: positions of the day''s complete snapshot, shares and '
  'contracts alike. mart.position_value has them valued.';
