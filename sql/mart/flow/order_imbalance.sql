-- grain: one row per symbol and trading_date that has a daily summary
-- Of total_buy and total_trade_buy one is the volume ordered, the other the number of orders, and deployments
-- differ: the larger is the volume, since an order is at least one share. Zero means missing (rule 15),
-- unless nothing matched: then a side on which both are zero had no orders at all, as at a floor without
-- buyers.
CREATE OR REPLACE VIEW mart.order_imbalance AS
WITH ordered_volume AS (
  SELECT symbol, trading_date, total_match,
    CASE WHEN total_buy > 0 AND total_trade_buy > 0 THEN greatest(total_buy, total_trade_buy)
      WHEN total_buy = 0 AND total_trade_buy = 0 AND coalesce(total_match, 0) = 0 THEN 0 END AS buy_volume,
    CASE WHEN buy_volume IS NOT NULL THEN least(total_buy, total_trade_buy) END AS buy_orders,
    CASE WHEN total_sell > 0 AND total_trade_sell > 0 THEN greatest(total_sell, total_trade_sell)
      WHEN total_sell = 0 AND total_trade_sell = 0 AND coalesce(total_match, 0) = 0 THEN 0 END AS sell_volume,
    CASE WHEN sell_volume IS NOT NULL THEN least(total_sell, total_trade_sell) END AS sell_orders
  FROM market.daily_summary
)
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind,
  total_match, buy_volume, buy_orders, sell_volume, sell_orders,
  (CAST(buy_volume AS DOUBLE) - CAST(sell_volume AS DOUBLE))
    / nullif(CAST(buy_volume AS DOUBLE) + CAST(sell_volume AS DOUBLE), 0) AS imbalance,
  CAST(buy_volume AS DOUBLE) / nullif(buy_orders, 0) AS average_buy_order,
  CAST(sell_volume AS DOUBLE) / nullif(sell_orders, 0) AS average_sell_order
FROM ordered_volume;
COMMENT ON VIEW mart.order_imbalance IS
  'One row per symbol and session: what was ordered on both sides, whether it matched or not.';
COMMENT ON COLUMN mart.order_imbalance.buy_volume IS
  'Volume of buy orders, shares or contracts: the larger of total_buy and total_trade_buy; null where '
  'either is missing.';
COMMENT ON COLUMN mart.order_imbalance.buy_orders IS
  'Number of buy orders: the smaller of total_buy and total_trade_buy; null as buy_volume.';
COMMENT ON COLUMN mart.order_imbalance.sell_volume IS
  'Volume of sell orders, shares or contracts: the larger of total_sell and total_trade_sell; null where '
  'either is missing.';
COMMENT ON COLUMN mart.order_imbalance.sell_orders IS
  'Number of sell orders: the smaller of total_sell and total_trade_sell; null as sell_volume.';
COMMENT ON COLUMN mart.order_imbalance.imbalance IS
  '(buy_volume - sell_volume) / (buy_volume + sell_volume): from -1 (only sellers) to 1 (only buyers); null '
  'where a side is missing, or both are zero.';
COMMENT ON COLUMN mart.order_imbalance.average_buy_order IS
  'buy_volume / buy_orders, shares or contracts an order; null where there were none.';
COMMENT ON COLUMN mart.order_imbalance.average_sell_order IS
  'sell_volume / sell_orders, shares or contracts an order; null where there were none.';
