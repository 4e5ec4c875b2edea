-- grain: one row per symbol to draw, of which there is one: the one that is asked for, else the busiest stock
-- The busiest has the largest traded value of the latest session; stocks with bars within that session come
-- first. Names are those of the security lists, else of the lists of indexes; null where no list names it.
WITH latest_session AS (
  SELECT max(trading_date) AS trading_date
  FROM market.daily_summary
  WHERE $symbol = ''
), busiest AS (
  SELECT summary.symbol
  FROM market.daily_summary summary
  JOIN latest_session ON latest_session.trading_date = summary.trading_date
  LEFT JOIN mart.intraday intraday
    ON intraday.symbol = summary.symbol AND intraday.trading_date = summary.trading_date
  WHERE mart.instrument_kind(summary.symbol, NULL) = 'stock'
  ORDER BY intraday.symbol IS NULL, summary.total_match_value DESC NULLS LAST, summary.symbol
  LIMIT 1
), subject AS (
  SELECT symbol FROM busiest
  UNION ALL
  SELECT $symbol AS symbol WHERE $symbol <> ''
)
SELECT subject.symbol, coalesce(upper(security.board), market_index.board) AS board,
  coalesce(security.symbol_name_en, security.symbol_name_vi, market_index.index_name) AS name
FROM subject
LEFT JOIN market.security security ON security.symbol = subject.symbol
LEFT JOIN market.market_index market_index ON market_index.index_code = subject.symbol
