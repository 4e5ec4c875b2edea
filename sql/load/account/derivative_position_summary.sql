-- grain: one row per derivative position record of a summary of the pages being loaded; reason is null if it
-- is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, r,
    account_no,
    nullif(r.symbol, '') AS symbol,
    parse_quantity(r.long) AS long,
    parse_quantity(r.short) AS short,
    parse_quantity(r.net) AS net,
    parse_price(r.bidAvgPrice) AS bid_avg_price,
    parse_price(r.askAvgPrice) AS ask_avg_price,
    parse_price(r.tradePrice) AS trade_price,
    parse_money(r.tradingPL) AS trading_pl,
    parse_money(r.floatingPL) AS floating_pl
  FROM snapshot_record
)
SELECT
  request_id, ordinal, received_at, account_no, symbol, long, short, net, bid_avg_price, ask_avg_price,
  trade_price, trading_pl, floating_pl,
  nullif(concat_ws('; ',
    missing('symbol', symbol),
    unread('long', r.long, long, 'a whole number'),
    unread('short', r.short, short, 'a whole number'),
    unread('net', r.net, net, 'a whole number'),
    unread('bidAvgPrice', r.bidAvgPrice, bid_avg_price, 'a plain number with at most 6 decimals'),
    unread('askAvgPrice', r.askAvgPrice, ask_avg_price, 'a plain number with at most 6 decimals'),
    unread('tradePrice', r.tradePrice, trade_price, 'a plain number with at most 6 decimals'),
    unread('tradingPL', r.tradingPL, trading_pl, 'a plain number with at most 4 decimals'),
    unread('floatingPL', r.floatingPL, floating_pl, 'a plain number with at most 4 decimals')
  ), '') AS reason
FROM typed;
