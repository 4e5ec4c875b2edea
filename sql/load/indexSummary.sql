-- grain: one row per index summary record of the pages being loaded; reason is null if it is valid;
-- noise has the fields whose number has binary noise, and that are null for it
-- reads: page_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, window_key, window_from, window_to, r,
    window_key AS index_code,
    parse_day(r.tradingDate) AS trading_date,
    parse_quantity(r.totalTrade) AS total_trade,
    parse_money(r.totalTradeValue) AS total_trade_value,
    parse_quantity(r.totalMatch) AS total_match,
    parse_money(r.totalMatchValue) AS total_match_value,
    parse_quantity(r.totalDeal) AS total_deal,
    parse_money(r.totalDealValue) AS total_deal_value,
    parse_price(r.indexChange) AS index_change,
    parse_ratio(r.indexChangePercentage) AS index_change_percentage,
    parse_price(r.indexValue) AS index_value,
    parse_quantity(r.totalAdvanceStock) AS total_advance_stock,
    parse_quantity(r.totalCeilingStock) AS total_ceiling_stock,
    parse_quantity(r.totalDeclineStock) AS total_decline_stock,
    parse_quantity(r.totalFloorStock) AS total_floor_stock,
    parse_quantity(r.totalNoChangeStock) AS total_no_change_stock,
    parse_quantity(r.totalPropBuy) AS total_prop_buy,
    parse_money(r.totalPropBuyValue) AS total_prop_buy_value,
    parse_quantity(r.totalPropSell) AS total_prop_sell,
    parse_money(r.totalPropSellValue) AS total_prop_sell_value
  FROM page_record
)
SELECT
  request_id, ordinal, received_at, index_code, trading_date, total_trade, total_trade_value, total_match,
  total_match_value, total_deal, total_deal_value, index_change, index_change_percentage, index_value,
  total_advance_stock, total_ceiling_stock, total_decline_stock, total_floor_stock, total_no_change_stock,
  total_prop_buy, total_prop_buy_value, total_prop_sell, total_prop_sell_value,
  -- a percentage is a DOUBLE, which holds every digit
  list_filter([
    noise_of('index_change', 'indexChange', r.indexChange, index_change),
    noise_of('index_value', 'indexValue', r.indexValue, index_value)
  ], lambda noise: noise IS NOT NULL) AS noise,
  nullif(concat_ws('; ',
    missing('tradingDate', r.tradingDate),
    missing('index', index_code),
    out_of_window('tradingDate', trading_date, window_from, window_to),
    unread('tradingDate', r.tradingDate, trading_date, 'a date'),
    unread('totalTrade', r.totalTrade, total_trade, 'a whole number'),
    unread('totalTradeValue', r.totalTradeValue, total_trade_value, 'a plain number with at most 4 decimals'),
    unread('totalMatch', r.totalMatch, total_match, 'a whole number'),
    unread('totalMatchValue', r.totalMatchValue, total_match_value, 'a plain number with at most 4 decimals'),
    unread('totalDeal', r.totalDeal, total_deal, 'a whole number'),
    unread('totalDealValue', r.totalDealValue, total_deal_value, 'a plain number with at most 4 decimals'),
    unread_derived('indexChange', r.indexChange, index_change, 'a plain number with at most 6 decimals'),
    unread('indexChangePercentage', r.indexChangePercentage, index_change_percentage, 'a plain number'),
    unread_derived('indexValue', r.indexValue, index_value, 'a plain number with at most 6 decimals'),
    unread('totalAdvanceStock', r.totalAdvanceStock, total_advance_stock, 'a whole number'),
    unread('totalCeilingStock', r.totalCeilingStock, total_ceiling_stock, 'a whole number'),
    unread('totalDeclineStock', r.totalDeclineStock, total_decline_stock, 'a whole number'),
    unread('totalFloorStock', r.totalFloorStock, total_floor_stock, 'a whole number'),
    unread('totalNoChangeStock', r.totalNoChangeStock, total_no_change_stock, 'a whole number'),
    unread('totalPropBuy', r.totalPropBuy, total_prop_buy, 'a whole number'),
    unread('totalPropBuyValue', r.totalPropBuyValue, total_prop_buy_value,
      'a plain number with at most 4 decimals'),
    unread('totalPropSell', r.totalPropSell, total_prop_sell, 'a whole number'),
    unread('totalPropSellValue', r.totalPropSellValue, total_prop_sell_value,
      'a plain number with at most 4 decimals')
  ), '') AS reason
FROM typed;
