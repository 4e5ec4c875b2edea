-- grain: one row per symbol and session of the daily summaries that are given
-- summaries: name of a relation with rows of market.daily_summary.
-- Where a symbol closed against its reference price, as boards and indexes count it. Boards count stocks,
-- HOSE also ETFs and funds, none covered warrants (docs/market-facts.md#board-totals).
CREATE OR REPLACE MACRO mart.close_direction(summaries) AS TABLE
WITH banded_summary AS (
  SELECT summary.symbol, summary.trading_date, coalesce(upper(band.exchange), upper(security.board)) AS board,
    coalesce(summary.total_match > 0, false) AS has_traded,
    CASE WHEN has_traded AND summary.close > 0 AND band.ref_price > 0
      THEN sign(summary.close - band.ref_price) END AS direction,
    direction > 0 AND summary.close = band.ceiling AS at_ceiling,
    direction < 0 AND summary.close = band.floor AS at_floor,
    mart.instrument_kind(summary.symbol, NULL) AS kind
  FROM query_table(summaries) summary
  LEFT JOIN market.price_limit band
    ON band.symbol = summary.symbol AND band.trading_date = summary.trading_date
  LEFT JOIN market.security security ON security.symbol = summary.symbol
)
SELECT symbol, trading_date, board, has_traded, direction, at_ceiling, at_floor,
  coalesce(kind = 'stock' OR board = 'HOSE' AND kind = 'etf', false) AS counts_for_board
FROM banded_summary;
COMMENT ON MACRO TABLE mart.close_direction IS
  'Whether each symbol traded in a session (has_traded), where it closed against its reference price '
  '(direction: 1 above, 0 at it, -1 below; null where that is not known), and whether the index of its board '
  'counts it. summaries: name of a relation with rows of market.daily_summary. mart.breadth counts by index.';
