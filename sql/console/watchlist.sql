-- grain: one row per symbol or index of the list that has a close, in the order of the list
-- Changes and the line are of adjusted closes; of an index its values. The line has the last 60 sessions, the
-- oldest first. chain_known_from: where the line reaches back beyond it, so that its earlier part may miss an
-- adjustment (mart.chain_known).
WITH listed AS (
  SELECT string_split($symbols, ',') AS symbols
), watched AS (
  SELECT unnest(symbols) AS symbol, generate_subscripts(symbols, 1) AS ordinal
  FROM listed
), session_close AS (
  SELECT symbol, trading_date, CAST(close AS DOUBLE) AS close, close_adjusted
  FROM mart.daily_adjusted
  WHERE symbol IN (SELECT symbol FROM watched) AND close > 0
  UNION ALL BY NAME
  SELECT index_code AS symbol, trading_date, CAST(index_value AS DOUBLE) AS close,
    CAST(index_value AS DOUBLE) AS close_adjusted
  FROM market.index_summary
  WHERE index_code IN (SELECT symbol FROM watched) AND index_value > 0
), latest AS (
  SELECT symbol, max(trading_date) AS trading_date, arg_max(close, trading_date) AS close,
    list(close_adjusted ORDER BY trading_date DESC) AS closes,
    list(trading_date ORDER BY trading_date DESC)[:60] AS line_dates
  FROM session_close
  GROUP BY symbol
)
SELECT watched.symbol,
  coalesce(security.symbol_name_en, security.symbol_name_vi, market_index.index_name, '') AS name,
  latest.trading_date, latest.close,
  closes[1] / closes[2] - 1 AS change_1, closes[1] / closes[6] - 1 AS change_5,
  closes[1] / closes[21] - 1 AS change_20, list_reverse(closes[:60]) AS line,
  CASE WHEN chain.chain_known_from > line_dates[-1] THEN chain.chain_known_from END AS chain_known_from
FROM watched
JOIN latest ON latest.symbol = watched.symbol
LEFT JOIN market.security security ON security.symbol = watched.symbol
LEFT JOIN market.market_index market_index ON market_index.index_code = watched.symbol
LEFT JOIN mart.chain_known chain ON chain.symbol = watched.symbol
ORDER BY watched.ordinal
