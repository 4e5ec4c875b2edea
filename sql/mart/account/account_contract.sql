-- grain: one row per account, trading date and contract that its complete snapshot names
-- As the service states it, in sum; contract_value is computed: what the contracts stand for at the price
-- that they are valued at. What was closed stands in the detail of positions (querySummary=false) alone.
CREATE OR REPLACE VIEW mart.account_contract AS
SELECT day.account_no, day.trading_date, contract.symbol, contract.long, contract.short, contract.net,
  CASE WHEN contract.bid_avg_price > 0 THEN contract.bid_avg_price END AS average_bought,
  CASE WHEN contract.ask_avg_price > 0 THEN contract.ask_avg_price END AS average_sold,
  closed.long AS closed_quantity, contract.trade_price, contract.trading_pl, contract.floating_pl,
  contract.net * contract.trade_price * mart.multiplier(contract.symbol) AS contract_value
FROM mart.account_day day
JOIN account.derivative_position_summary contract
  ON contract.snapshot_id = day.snapshot_id AND contract.account_no = day.account_no
LEFT JOIN account.derivative_position closed
  ON closed.snapshot_id = day.snapshot_id AND closed.account_no = day.account_no
    AND closed.symbol = contract.symbol AND closed.side_of_book = 'close';
COMMENT ON VIEW mart.account_contract IS
  'One row per account, trading date and futures contract: long, short, prices, profit and loss as the '
  'service states them, and what the contracts stand for.';
COMMENT ON COLUMN mart.account_contract.long IS 'Contracts long.';
COMMENT ON COLUMN mart.account_contract.short IS 'Contracts short.';
COMMENT ON COLUMN mart.account_contract.net IS 'Contracts long less short.';
COMMENT ON COLUMN mart.account_contract.average_bought IS
  'Average price of buys, index points; null where there are none.';
COMMENT ON COLUMN mart.account_contract.average_sold IS
  'Average price of sells, index points; null where there are none.';
COMMENT ON COLUMN mart.account_contract.closed_quantity IS
  'Contracts closed since the last settlement; null where the detail of positions has none.';
COMMENT ON COLUMN mart.account_contract.trade_price IS 'Price the contracts are valued at, index points.';
COMMENT ON COLUMN mart.account_contract.trading_pl IS 'Profit or loss of closed contracts, VND.';
COMMENT ON COLUMN mart.account_contract.floating_pl IS 'Profit or loss of open contracts, VND.';
COMMENT ON COLUMN mart.account_contract.contract_value IS
  'net times trade_price times the multiplier, VND; negative: short.';
