-- grain: one row per price limit record of the pages being loaded; reason is null if it is valid
-- reads: page_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, window_key, window_from, window_to, r,
    nullif(r.symbol, '') AS symbol,
    coalesce(nullif(r.exchange, ''), nullif(r.board, '')) AS exchange,
    parse_day(r.tradingDate) AS trading_date,
    parse_price(r.ceiling) AS ceiling,
    parse_price(r.floor) AS floor,
    parse_price(r.refPrice) AS ref_price
  FROM page_record
)
SELECT
  request_id, ordinal, received_at, symbol, exchange, trading_date, ceiling, floor, ref_price,
  nullif(concat_ws('; ',
    missing('symbol', symbol),
    missing('tradingDate', r.tradingDate),
    out_of_window('tradingDate', trading_date, window_from, window_to),
    unread('tradingDate', r.tradingDate, trading_date, 'a date'),
    unread('ceiling', r.ceiling, ceiling, 'a plain number with at most 6 decimals'),
    unread('floor', r.floor, floor, 'a plain number with at most 6 decimals'),
    unread('refPrice', r.refPrice, ref_price, 'a plain number with at most 6 decimals')
  ), '') AS reason
FROM typed;
