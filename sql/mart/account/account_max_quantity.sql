-- grain: one row per account, trading date and symbol of which its complete snapshot has maximum quantities
-- Read for the symbols that the account holds, at their latest close.
CREATE OR REPLACE VIEW mart.account_max_quantity AS
SELECT day.account_no, day.trading_date, quantity.symbol, quantity.price,
  quantity.max_buy_qty,
  quantity.max_buy_qty * quantity.price * mart.multiplier(quantity.symbol) AS max_buy_value,
  quantity.max_sell_qty, quantity.margin_ratio, quantity.purchasing_power
FROM mart.account_day day
JOIN account.max_quantity quantity
  ON quantity.snapshot_id = day.snapshot_id AND quantity.account_no = day.account_no;
COMMENT ON VIEW mart.account_max_quantity IS
  'One row per account, trading date and symbol held: how much of it the account could buy and sell at its '
  'latest close, and the purchasing power for it.';
COMMENT ON COLUMN mart.account_max_quantity.price IS
  'Price that was asked about: the latest close known, VND or index points.';
COMMENT ON COLUMN mart.account_max_quantity.max_buy_qty IS 'Most that could be bought at price.';
COMMENT ON COLUMN mart.account_max_quantity.max_buy_value IS
  'What max_buy_qty costs at price, VND, fees apart; contracts: what they stand for.';
COMMENT ON COLUMN mart.account_max_quantity.max_sell_qty IS 'Most that could be sold.';
COMMENT ON COLUMN mart.account_max_quantity.margin_ratio IS
  'Ratio of the symbol as the service states it; the specification does not explain it.';
COMMENT ON COLUMN mart.account_max_quantity.purchasing_power IS
  'Purchasing power for the symbol as the service states it, VND.';
