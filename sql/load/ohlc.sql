-- grain: one row per candle record of the pages being loaded; reason is null if it is valid
-- reads: page_record
-- writes: typed_record
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, window_key, window_from, window_to, r,
    nullif(r.symbol, '') AS symbol,
    window_timeframe AS timeframe,
    parse_local_time(r.tradingDate) AS local_time,
    parse_price(r.open) AS open,
    parse_price(r.high) AS high,
    parse_price(r.low) AS low,
    parse_price(r.close) AS close,
    parse_quantity(r.volume) AS volume,
    parse_candle_value(r.value) AS value
  FROM page_record
)
SELECT
  request_id, ordinal, received_at,
  symbol, timeframe,
  -- A day's bar opens at midnight in exchange time, whatever time of day a deployment writes beside it.
  CAST(
    (CASE WHEN timeframe = '1d' THEN date_trunc('day', local_time) ELSE local_time END) - INTERVAL 7 HOUR
    AS TIMESTAMPTZ
  ) AS opened_at,
  CAST(local_time AS DATE) AS trading_date,
  open, high, low, close, volume, value,
  false AS is_derived,
  CASE
    WHEN symbol = window_key AND CAST(local_time AS DATE) BETWEEN window_from AND window_to
      AND (timeframe = '1d' OR has_time(r.tradingDate))
      AND open IS NOT NULL AND high IS NOT NULL AND low IS NOT NULL AND close IS NOT NULL
      AND volume IS NOT NULL AND value IS NOT NULL THEN NULL
    ELSE nullif(concat_ws('; ',
      missing('symbol', symbol),
      missing('tradingDate', r.tradingDate),
      not_asked('symbol', symbol, window_key),
      unread('tradingDate', r.tradingDate, local_time, 'a date and time'),
      out_of_window('tradingDate', CAST(local_time AS DATE), window_from, window_to),
      CASE WHEN timeframe <> '1d' AND NOT has_time(r.tradingDate)
        THEN 'tradingDate: no time of day in ''' || r.tradingDate || '''' END,
      unread('open', r.open, open, 'a plain number with at most 6 decimals'),
      unread('high', r.high, high, 'a plain number with at most 6 decimals'),
      unread('low', r.low, low, 'a plain number with at most 6 decimals'),
      unread('close', r.close, close, 'a plain number with at most 6 decimals'),
      unread('volume', r.volume, volume, 'a whole number'),
      unread('value', r.value, value, 'a plain number with at most 2 decimals')
    ), '')
  END AS reason
FROM typed;
