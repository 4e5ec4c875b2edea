-- grain: one row per symbol and trading_date that has a daily summary
-- Foreign buying less foreign selling, matched and put-through together, as the service reports them: it has
-- no figures of each. The part that was matched lies between two bounds (matched_net_value_least and _most):
-- of what foreigners bought, at most all deals were put through, and at most everything matched was matched.
-- Without deals both are net_value. Sums go over the symbol's sessions that have a summary. A session in
-- which nothing was traded and nothing foreign is reported counts as zero; any other session whose foreign
-- figures are missing leaves the sums that hold it null, since they are not known. Values of futures are of
-- the contracts' worth, not of money that moved: add up one kind at a time.
-- Sums and streak come from mart.session_factor, which counts sessions within 120 days.
CREATE OR REPLACE VIEW mart.foreign_flow AS
WITH flow AS (
  SELECT symbol, trading_date,
    total_foreign_buy, total_foreign_buy_value, total_foreign_sell, total_foreign_sell_value,
    remain_foreign_room, total_foreign_room, total_match_value, total_deal_value,
    CASE WHEN coalesce(total_match, 0) = 0 AND coalesce(total_deal, 0) = 0 THEN 0 END AS idle,
    coalesce(CAST(total_foreign_buy AS DOUBLE) - CAST(total_foreign_sell AS DOUBLE), idle) AS net_volume,
    CAST(total_foreign_buy_value AS DOUBLE) AS bought, CAST(total_foreign_sell_value AS DOUBLE) AS sold,
    coalesce(bought - sold, idle) AS net_value,
    CAST(total_match_value AS DOUBLE) AS matched, CAST(total_deal_value AS DOUBLE) AS dealt,
    bought + sold + matched + dealt IS NOT NULL AS is_bounded
  FROM market.daily_summary
)
SELECT flow.symbol, flow.trading_date, mart.instrument_kind(flow.symbol, NULL) AS kind,
  flow.total_foreign_buy, flow.total_foreign_buy_value,
  flow.total_foreign_sell, flow.total_foreign_sell_value, flow.total_match_value, flow.total_deal_value,
  flow.net_volume, flow.net_value,
  CASE WHEN is_bounded THEN greatest(bought - dealt, 0) - least(sold, matched)
    WHEN idle = 0 THEN net_value END AS matched_net_value_least,
  CASE WHEN is_bounded THEN least(bought, matched) - greatest(sold - dealt, 0)
    WHEN idle = 0 THEN net_value END AS matched_net_value_most,
  factor.foreign_net_volume_5 AS net_volume_5,
  factor.foreign_net_value_5 AS net_value_5, factor.foreign_net_volume_20 AS net_volume_20,
  factor.foreign_net_value_20 AS net_value_20,
  (bought + sold) / nullif(2 * (matched + dealt), 0) AS value_share,
  factor.foreign_streak AS streak,
  CASE WHEN flow.total_foreign_room > 0
    THEN (CAST(flow.total_foreign_room AS DOUBLE) - CAST(flow.remain_foreign_room AS DOUBLE))
      / CAST(flow.total_foreign_room AS DOUBLE) END AS room_used
FROM flow
LEFT JOIN mart.session_factor factor
  ON factor.symbol = flow.symbol AND factor.trading_date = flow.trading_date;
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
COMMENT ON COLUMN mart.foreign_flow.matched_net_value_least IS
  'Least that net_value can be without put-through deals, VND: max(bought - total_deal_value, 0) - min(sold, '
  'total_match_value), values of foreign investors. Equals net_value where there were no deals; null where a '
  'part was not reported.';
COMMENT ON COLUMN mart.foreign_flow.matched_net_value_most IS
  'Most that net_value can be without put-through deals, VND: min(bought, total_match_value) - max(sold - '
  'total_deal_value, 0). Above 0 with matched_net_value_least below: which side foreigners were on in the '
  'order book is not known.';
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
