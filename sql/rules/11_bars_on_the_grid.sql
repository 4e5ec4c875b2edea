-- grain: one row per fetched bar
-- rule: 11
-- title: no bar off the session grid, and one bar per symbol, timeframe and opening
-- severity: error
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: a bar
-- why: a bar at noon is a wrong time zone, a shifted column or another day's; readers would see trading in
--   the lunch break. Bars are labelled by their start and anchored to the clock; 11:30, 14:30, auction and
--   post-close minutes appear in some feeds only (docs/market-facts.md#minute-bars)
-- tolerance: the grid of any board where the price limits do not report the board of that day, since symbols
--   move; the first and last minute of the opening auction, since which of them labels its bar is not
--   published
WITH bar AS (
  SELECT candle.symbol, candle.timeframe, candle.trading_date, candle.opened_at, count(*) AS bars,
    CASE
      WHEN mart.instrument_kind(candle.symbol, NULL) = 'future' THEN 'DERIVATIVE'
      WHEN upper(band.exchange) IN ('HOSE', 'HNX', 'UPCOM') THEN upper(band.exchange)
      ELSE 'any board'
    END AS board,
    -- minute of the day in exchange time (UTC+7); seconds leave the grid
    CAST((epoch_ms(candle.opened_at) + 25200000) % 86400000 AS DOUBLE) / 60000 AS minute
  FROM market.candle candle
  LEFT JOIN market.price_limit band ON band.symbol = candle.symbol AND band.trading_date = candle.trading_date
    AND band.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  WHERE candle.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    AND candle.trading_date IN (SELECT trading_date FROM audit_session)
  GROUP BY ALL
), length(timeframe, width) AS (
  VALUES ('1m', 1), ('3m', 3), ('5m', 5), ('15m', 15), ('30m', 30), ('1h', 60)
), grid_minute AS (
  SELECT DISTINCT board, timeframe, minute - minute % width AS minute
  FROM (
    SELECT board, unnest(CASE phase
      WHEN 'continuous' THEN range(starts, ends + 1)
      WHEN 'ato' THEN [starts, ends]
      WHEN 'atc' THEN [ends]
      WHEN 'plo' THEN range(starts, ends + 1)
      ELSE [] END) AS minute
    FROM (FROM session_phase UNION ALL SELECT 'any board', phase, starts, ends FROM session_phase
      WHERE board <> 'DERIVATIVE')
  ) CROSS JOIN length
)
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation,
  bar_key(symbol, timeframe, opened_at) AS key,
  'one bar on the grid of ' || board AS expected,
  CASE
    WHEN bars > 1 THEN bars || ' bars'
    ELSE strftime(make_timestamp(epoch_us(opened_at) + 25200000000), '%H:%M:%S')
  END AS actual,
  NULL AS residual,
  CASE
    WHEN bars > 1 THEN 'break'
    WHEN timeframe = '1d' THEN CASE WHEN bar.minute = 0 THEN 'pass' ELSE 'break' END
    WHEN grid_minute.minute IS NOT NULL THEN 'pass'
    ELSE 'break'
  END AS result
FROM bar LEFT JOIN grid_minute USING (board, timeframe, minute)
