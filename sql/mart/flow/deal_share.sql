-- grain: one row per symbol and trading_date that has a daily summary
-- How much of a session was put through (negotiated, outside the order book) rather than matched. Null is not
-- zero: where either part was not reported, their share is not known.
CREATE OR REPLACE VIEW mart.deal_share AS
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind,
  total_match, total_match_value, total_deal, total_deal_value,
  CAST(total_deal AS DOUBLE)
    / nullif(CAST(total_match AS DOUBLE) + CAST(total_deal AS DOUBLE), 0) AS volume_share,
  CAST(total_deal_value AS DOUBLE)
    / nullif(CAST(total_match_value AS DOUBLE) + CAST(total_deal_value AS DOUBLE), 0) AS value_share
FROM market.daily_summary;
COMMENT ON VIEW mart.deal_share IS 'One row per symbol and session: the put-through part of what was traded.';
COMMENT ON COLUMN mart.deal_share.total_deal IS 'Put-through volume, shares or contracts.';
COMMENT ON COLUMN mart.deal_share.volume_share IS
  'total_deal / (total_match + total_deal), a fraction; null where nothing was traded, or one of them was '
  'not reported.';
COMMENT ON COLUMN mart.deal_share.value_share IS
  'total_deal_value / (total_match_value + total_deal_value), a fraction; null as volume_share.';
