-- grain: one row per symbol and trading_date that has a daily summary
-- Foreign buying less foreign selling, matched and put-through together, as the service reports them. Sums go
-- over the symbol's sessions that have a summary. A session in which nothing was traded and nothing foreign
-- is reported counts as zero; any other session whose foreign figures are missing leaves the sums that hold
-- it null, since they are not known.
CREATE OR REPLACE VIEW mart.foreign_flow AS
WITH flow AS (
  SELECT symbol, trading_date,
    total_foreign_buy, total_foreign_buy_value, total_foreign_sell, total_foreign_sell_value,
    remain_foreign_room, total_foreign_room,
    CASE WHEN coalesce(total_match, 0) = 0 AND coalesce(total_deal, 0) = 0 THEN 0 END AS idle,
    coalesce(CAST(total_foreign_buy AS DOUBLE) - CAST(total_foreign_sell AS DOUBLE), idle) AS net_volume,
    coalesce(CAST(total_foreign_buy_value AS DOUBLE) - CAST(total_foreign_sell_value AS DOUBLE),
      idle) AS net_value,
    CAST(total_match_value AS DOUBLE) + CAST(total_deal_value AS DOUBLE) AS traded_value,
    row_number() OVER (PARTITION BY symbol ORDER BY trading_date) AS session
  FROM market.daily_summary
), flow_sum AS (
  SELECT *,
    CASE WHEN count(net_volume) OVER last_5 = 5 THEN sum(net_volume) OVER last_5 END AS net_volume_5,
    CASE WHEN count(net_value) OVER last_5 = 5 THEN sum(net_value) OVER last_5 END AS net_value_5,
    CASE WHEN count(net_volume) OVER last_20 = 20 THEN sum(net_volume) OVER last_20 END AS net_volume_20,
    CASE WHEN count(net_value) OVER last_20 = 20 THEN sum(net_value) OVER last_20 END AS net_value_20,
    max(session) FILTER (WHERE NOT coalesce(net_value > 0, false)) OVER history AS last_not_buying,
    max(session) FILTER (WHERE NOT coalesce(net_value < 0, false)) OVER history AS last_not_selling
  FROM flow
  WINDOW last_5 AS (PARTITION BY symbol ORDER BY trading_date ROWS 4 PRECEDING),
    last_20 AS (PARTITION BY symbol ORDER BY trading_date ROWS 19 PRECEDING),
    history AS (PARTITION BY symbol ORDER BY trading_date ROWS UNBOUNDED PRECEDING)
)
SELECT symbol, trading_date,
  total_foreign_buy, total_foreign_buy_value, total_foreign_sell, total_foreign_sell_value,
  net_volume, net_value, net_volume_5, net_value_5, net_volume_20, net_value_20,
  (CAST(total_foreign_buy_value AS DOUBLE) + CAST(total_foreign_sell_value AS DOUBLE))
    / nullif(2 * traded_value, 0) AS value_share,
  CASE WHEN net_value > 0 THEN session - coalesce(last_not_buying, 0)
    WHEN net_value < 0 THEN coalesce(last_not_selling, 0) - session
    WHEN net_value = 0 THEN 0 END AS streak,
  CASE WHEN total_foreign_room > 0
    THEN (CAST(total_foreign_room AS DOUBLE) - CAST(remain_foreign_room AS DOUBLE))
      / CAST(total_foreign_room AS DOUBLE) END AS room_used
FROM flow_sum;
COMMENT ON VIEW mart.foreign_flow IS
  'One row per symbol and session: what foreign investors bought and sold, matched and put-through '
  'together, and how much of their limit is used.';
COMMENT ON COLUMN mart.foreign_flow.total_foreign_buy IS 'Bought by foreign investors, shares or contracts.';
COMMENT ON COLUMN mart.foreign_flow.total_foreign_sell IS 'Sold by foreign investors, shares or contracts.';
COMMENT ON COLUMN mart.foreign_flow.net_volume IS
  'total_foreign_buy - total_foreign_sell, shares or contracts of that day; 0 where nothing was traded and '
  'neither was reported; null where only they are missing.';
COMMENT ON COLUMN mart.foreign_flow.net_value IS
  'total_foreign_buy_value - total_foreign_sell_value, VND; 0 and null as net_volume.';
COMMENT ON COLUMN mart.foreign_flow.net_volume_5 IS
  'Sum of net_volume over the symbol''s last 5 sessions; null while there are fewer, or where one of them '
  'is null. Shares of each day: not adjusted for splits.';
COMMENT ON COLUMN mart.foreign_flow.net_value_5 IS
  'Sum of net_value over the symbol''s last 5 sessions, VND; null as net_volume_5.';
COMMENT ON COLUMN mart.foreign_flow.net_volume_20 IS 'The same as net_volume_5, 20 sessions.';
COMMENT ON COLUMN mart.foreign_flow.net_value_20 IS 'The same as net_value_5, 20 sessions.';
COMMENT ON COLUMN mart.foreign_flow.value_share IS
  'Foreign part of trading, a fraction: (total_foreign_buy_value + total_foreign_sell_value) / (2 x '
  '(total_match_value + total_deal_value)), since each trade has a buyer and a seller; null where nothing '
  'was traded or a part is missing.';
COMMENT ON COLUMN mart.foreign_flow.streak IS
  'Sessions in a row, up to this one, with net_value above zero (+n), or below (-n). A session of zero ends '
  'it and is 0; one that is null ends it and is null.';
COMMENT ON COLUMN mart.foreign_flow.room_used IS
  '(total_foreign_room - remain_foreign_room) / total_foreign_room, a fraction of the limit; above 1 = over '
  'the limit; null where no limit or no remainder was reported.';
