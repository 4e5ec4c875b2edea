-- grain: one row per index and session with an index summary
-- What securities companies traded on their own account, as the index summary reports it: the API has it per
-- index only. Sums are over the index's sessions stored, and null while there are fewer, or one of them does
-- not report it.
CREATE OR REPLACE VIEW mart.proprietary_flow AS
WITH flow AS (
  SELECT index_code, trading_date, total_prop_buy, total_prop_sell, total_prop_buy_value,
    total_prop_sell_value,
    CAST(total_prop_buy AS HUGEINT) - total_prop_sell AS net_volume,
    CAST(total_prop_buy_value AS DOUBLE) - CAST(total_prop_sell_value AS DOUBLE) AS net_value,
    CAST(total_trade_value AS DOUBLE) AS trade_value
  FROM market.index_summary
)
SELECT index_code, trading_date, total_prop_buy, total_prop_sell, total_prop_buy_value, total_prop_sell_value,
  TRY_CAST(net_volume AS BIGINT) AS net_volume, net_value,
  TRY_CAST(CASE WHEN count(net_volume) OVER index_5 = 5
    THEN sum(net_volume) OVER index_5 END AS BIGINT) AS net_volume_5,
  CASE WHEN count(net_value) OVER index_5 = 5 THEN sum(net_value) OVER index_5 END AS net_value_5,
  TRY_CAST(CASE WHEN count(net_volume) OVER index_20 = 20
    THEN sum(net_volume) OVER index_20 END AS BIGINT) AS net_volume_20,
  CASE WHEN count(net_value) OVER index_20 = 20 THEN sum(net_value) OVER index_20 END AS net_value_20,
  (CAST(total_prop_buy_value AS DOUBLE) + CAST(total_prop_sell_value AS DOUBLE)) / 2
    / nullif(trade_value, 0) AS share_of_value,
  net_value / nullif(trade_value, 0) AS net_share_of_value
FROM flow
WINDOW index_5 AS (PARTITION BY index_code ORDER BY trading_date ROWS 4 PRECEDING),
  index_20 AS (PARTITION BY index_code ORDER BY trading_date ROWS 19 PRECEDING);
COMMENT ON VIEW mart.proprietary_flow IS
  'One row per index and session: what securities companies bought and sold on their own account.';
COMMENT ON COLUMN mart.proprietary_flow.total_prop_buy IS
  'Bought by proprietary desks, shares; null where the summary does not report it.';
COMMENT ON COLUMN mart.proprietary_flow.total_prop_sell IS 'Sold by proprietary desks, shares.';
COMMENT ON COLUMN mart.proprietary_flow.total_prop_buy_value IS 'Bought by proprietary desks, VND.';
COMMENT ON COLUMN mart.proprietary_flow.total_prop_sell_value IS 'Sold by proprietary desks, VND.';
COMMENT ON COLUMN mart.proprietary_flow.net_volume IS
  'Bought less sold, shares; null where one of them is not reported.';
COMMENT ON COLUMN mart.proprietary_flow.net_value IS
  'Bought less sold, VND; null where one of them is not reported.';
COMMENT ON COLUMN mart.proprietary_flow.net_volume_5 IS
  'net_volume of 5 sessions, shares; null while there are fewer, or one does not report it.';
COMMENT ON COLUMN mart.proprietary_flow.net_value_5 IS
  'net_value of 5 sessions, VND; null while there are fewer, or one does not report it.';
COMMENT ON COLUMN mart.proprietary_flow.net_volume_20 IS 'The same of net_volume, 20 sessions.';
COMMENT ON COLUMN mart.proprietary_flow.net_value_20 IS 'The same of net_value, 20 sessions.';
COMMENT ON COLUMN mart.proprietary_flow.share_of_value IS
  'Mean of bought and sold value as a fraction of the index''s total_trade_value, matched and put-through: '
  'each trade has two sides. Null where nothing was traded.';
COMMENT ON COLUMN mart.proprietary_flow.net_share_of_value IS
  'net_value as a fraction of total_trade_value: negative = sold more.';
