-- grain: one row per daily summary record of the pages being loaded; reason is null if it is valid;
-- noise has the fields whose number has binary noise, and that are null for it
-- reads: page_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, window_key, window_from, window_to, r,
    nullif(r.symbol, '') AS symbol,
    parse_day(r.tradingDate) AS trading_date,
    parse_price(r.priceChange) AS price_change,
    parse_ratio(r.priceChangePercentage) AS price_change_percentage,
    parse_price(r.open) AS open,
    parse_price(r.high) AS high,
    parse_price(r.low) AS low,
    parse_price(r.close) AS close,
    parse_price(r.average) AS average,
    parse_quantity(r.totalMatch) AS total_match,
    parse_money(r.totalMatchValue) AS total_match_value,
    parse_quantity(r.totalBuy) AS total_buy,
    parse_quantity(r.totalTradeBuy) AS total_trade_buy,
    parse_quantity(r.totalSell) AS total_sell,
    parse_quantity(r.totalTradeSell) AS total_trade_sell,
    parse_quantity(r.totalForeignBuy) AS total_foreign_buy,
    parse_money(r.totalForeignBuyValue) AS total_foreign_buy_value,
    parse_quantity(r.totalForeignSell) AS total_foreign_sell,
    parse_money(r.totalForeignSellValue) AS total_foreign_sell_value,
    parse_quantity(r.remainForeignRoom) AS remain_foreign_room,
    parse_quantity(r.totalForeignRoom) AS total_foreign_room,
    parse_quantity(r.totalDeal) AS total_deal,
    parse_money(r.totalDealValue) AS total_deal_value,
    parse_quantity(r.openInterest) AS open_interest,
    parse_price(r.settlementPrice) AS settlement_price
  FROM page_record
)
SELECT
  request_id, ordinal, received_at, symbol, trading_date, price_change, price_change_percentage, open, high,
  low, close, average, total_match, total_match_value, total_buy, total_trade_buy, total_sell,
  total_trade_sell, total_foreign_buy, total_foreign_buy_value, total_foreign_sell, total_foreign_sell_value,
  remain_foreign_room, total_foreign_room, total_deal, total_deal_value, open_interest, settlement_price,
  -- a percentage is a DOUBLE, which holds every digit
  list_filter([
    noise_of('price_change', 'priceChange', r.priceChange, price_change),
    noise_of('average', 'average', r.average, average)
  ], lambda noise: noise IS NOT NULL) AS noise,
  nullif(concat_ws('; ',
    missing('symbol', symbol),
    missing('tradingDate', r.tradingDate),
    not_asked('symbol', symbol, nullif(window_key, '*')),
    out_of_window('tradingDate', trading_date, window_from, window_to),
    unread('tradingDate', r.tradingDate, trading_date, 'a date'),
    unread_derived('priceChange', r.priceChange, price_change, 'a plain number with at most 6 decimals'),
    unread('priceChangePercentage', r.priceChangePercentage, price_change_percentage, 'a plain number'),
    unread('open', r.open, open, 'a plain number with at most 6 decimals'),
    unread('high', r.high, high, 'a plain number with at most 6 decimals'),
    unread('low', r.low, low, 'a plain number with at most 6 decimals'),
    unread('close', r.close, close, 'a plain number with at most 6 decimals'),
    unread_derived('average', r.average, average, 'a plain number with at most 6 decimals'),
    unread('totalMatch', r.totalMatch, total_match, 'a whole number'),
    unread('totalMatchValue', r.totalMatchValue, total_match_value, 'a plain number with at most 4 decimals'),
    unread('totalBuy', r.totalBuy, total_buy, 'a whole number'),
    unread('totalTradeBuy', r.totalTradeBuy, total_trade_buy, 'a whole number'),
    unread('totalSell', r.totalSell, total_sell, 'a whole number'),
    unread('totalTradeSell', r.totalTradeSell, total_trade_sell, 'a whole number'),
    unread('totalForeignBuy', r.totalForeignBuy, total_foreign_buy, 'a whole number'),
    unread('totalForeignBuyValue', r.totalForeignBuyValue, total_foreign_buy_value,
      'a plain number with at most 4 decimals'),
    unread('totalForeignSell', r.totalForeignSell, total_foreign_sell, 'a whole number'),
    unread('totalForeignSellValue', r.totalForeignSellValue, total_foreign_sell_value,
      'a plain number with at most 4 decimals'),
    unread('remainForeignRoom', r.remainForeignRoom, remain_foreign_room, 'a whole number'),
    unread('totalForeignRoom', r.totalForeignRoom, total_foreign_room, 'a whole number'),
    unread('totalDeal', r.totalDeal, total_deal, 'a whole number'),
    unread('totalDealValue', r.totalDealValue, total_deal_value, 'a plain number with at most 4 decimals'),
    unread('openInterest', r.openInterest, open_interest, 'a whole number'),
    unread('settlementPrice', r.settlementPrice, settlement_price, 'a plain number with at most 6 decimals')
  ), '') AS reason
FROM typed;
