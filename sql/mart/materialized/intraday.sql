-- grain: one row per symbol and session to refresh that has 1m bars
-- The board of the day comes from its price limits; without them auctions look like other trading. Squares
-- are added as whole numbers of 1e-18: a sum of DOUBLE depends on the order in which threads add, and hashes
-- with it. A price of 0 is not a price: its bar counts, but no return leads to it or from it. After hours
-- (HNX) and minutes outside every phase are in volume alone. A sum that its column does not hold is
-- null: one odd bar must not end a publication.
WITH symbol_board AS (
  SELECT symbol, trading_date, mart.trading_board(symbol, exchange) AS board
  FROM market.price_limit WHERE trading_date IN (SELECT unnest(getvariable('refresh_days')))
), bar AS (
  SELECT symbol, trading_date, opened_at, volume, value,
    mart.exchange_minute(opened_at) AS minute,
    CASE WHEN close > 0 THEN CAST(close AS DOUBLE) END AS price,
    CASE WHEN open > 0 THEN CAST(open AS DOUBLE) END AS opening
  FROM market.candle
  WHERE timeframe = '1m' AND trading_date IN (SELECT unnest(getvariable('refresh_days')))
), bar_return AS (
  SELECT *, ln(price / coalesce(
    last_value(price IGNORE NULLS) OVER (PARTITION BY symbol, trading_date
      ORDER BY opened_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
    opening, price)) AS log_return
  FROM bar
), phase_bar AS (
  SELECT bar_return.*, symbol_board.board, phase.phase, phase.auction
  FROM bar_return
  LEFT JOIN symbol_board USING (symbol, trading_date)
  LEFT JOIN mart.day_minute phase ON phase.board = symbol_board.board AND phase.minute = bar_return.minute
    AND bar_return.trading_date BETWEEN phase.valid_from AND phase.valid_to
)
SELECT symbol, trading_date, any_value(board) AS board,
  count(*) AS bars,
  min(opened_at) AS first_bar_at,
  max(opened_at) AS last_bar_at,
  TRY_CAST(sum(volume) AS BIGINT) AS volume,
  TRY_CAST(sum(value) AS DECIMAL(24,4)) AS value,
  TRY_CAST(sum(volume) FILTER (WHERE auction = 'ato') AS BIGINT) AS ato_volume,
  TRY_CAST(sum(volume) FILTER (WHERE auction = 'atc') AS BIGINT) AS atc_volume,
  TRY_CAST(sum(volume) FILTER (WHERE phase = 'morning') AS BIGINT) AS morning_volume,
  TRY_CAST(sum(volume) FILTER (WHERE phase = 'afternoon') AS BIGINT) AS afternoon_volume,
  CAST(sum(CAST(round(log_return * log_return * 1e18) AS HUGEINT)) AS DOUBLE) / 1e18 AS realised_variance
FROM phase_bar
GROUP BY symbol, trading_date
