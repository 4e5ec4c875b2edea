-- grain: one row per symbol and session to make that has 1m bars
-- The board of the day comes from its price limits; without them no auction can be told from other trading. Squares are
-- added as whole numbers of 1e-18: a sum of DOUBLE depends on the order in which threads add, and hashes with it.
WITH board AS (
  SELECT symbol, trading_date,
    CASE WHEN mart.instrument_kind(symbol, NULL) = 'future' THEN 'DERIVATIVE' ELSE upper(exchange) END AS board
  FROM market.price_limit WHERE trading_date IN (SELECT unnest(getvariable('made_days')))
), bar AS (
  SELECT symbol, trading_date, opened_at, volume, value,
    (epoch_ms(opened_at) // 60000 + 420) % 1440 AS minute,
    ln(CAST(close AS DOUBLE) / CAST(lag(close, 1, open) OVER (PARTITION BY symbol, trading_date ORDER BY opened_at) AS DOUBLE)) AS log_return
  FROM market.candle
  WHERE timeframe = '1m' AND trading_date IN (SELECT unnest(getvariable('made_days'))) AND open > 0 AND close > 0
), phased AS (
  SELECT bar.*, phase.phase, phase.auction, phase.board
  FROM bar
  LEFT JOIN board USING (symbol, trading_date)
  LEFT JOIN mart.trading_minute phase ON phase.board = board.board AND phase.minute = bar.minute
    AND bar.trading_date BETWEEN phase.valid_from AND phase.valid_to
)
SELECT symbol, trading_date,
  count(*) AS bars,
  min(opened_at) AS first_bar_at,
  max(opened_at) AS last_bar_at,
  CAST(sum(volume) AS BIGINT) AS volume,
  CAST(sum(value) AS DECIMAL(24,4)) AS value,
  CAST(sum(volume) FILTER (WHERE auction = 'ato') AS BIGINT) AS ato_volume,
  CAST(sum(volume) FILTER (WHERE auction = 'atc') AS BIGINT) AS atc_volume,
  CAST(sum(volume) FILTER (WHERE phase = 'morning') AS BIGINT) AS morning_volume,
  CAST(sum(volume) FILTER (WHERE phase = 'afternoon') AS BIGINT) AS afternoon_volume,
  CAST(sum(CAST(round(log_return * log_return * 1e18) AS HUGEINT)) AS DOUBLE) / 1e18 AS realised_variance
FROM phased
GROUP BY symbol, trading_date
