-- grain: one row per index of a whole board and session to check: its summary, what the members' summaries
--   add up to, and whether all of them are stored. Boards count stocks, HOSE also ETFs and funds, none
--   covered warrants (docs/market-facts.md#board-totals).
CREATE OR REPLACE TEMP TABLE audit_board AS
WITH board_member AS (
  SELECT trading_date, board, count(*) AS members,
    sum(total_match) AS match, sum(total_match_value) AS match_value, sum(total_deal) AS deal,
    sum(total_deal_value) AS deal_value,
    count(*) FILTER (total_match > 0 AND close > ref_price) AS rising,
    count(*) FILTER (total_match > 0 AND close < ref_price) AS falling,
    count(*) FILTER (total_match > 0 AND close = ref_price) AS unchanged,
    count(*) FILTER (coalesce(total_match, 0) = 0) AS untraded,
    -- traded, but not known from what price on
    count(*) FILTER (total_match > 0
      AND NOT (coalesce(close, 0) > 0 AND coalesce(ref_price, 0) > 0)) AS unknown
  FROM audit_day WHERE kind = 'stock' OR kind = 'etf' AND board = 'HOSE'
  GROUP BY trading_date, board
), whole_market_session AS (
  SELECT trading_date
  FROM audit_coverage WHERE dataset = 'securitiesSummary' AND key = '*' AND state = 'complete'
), symbol_by_symbol_session AS (
  SELECT listed_symbol.trading_date
  FROM listed_symbol LEFT JOIN audit_coverage answer
    ON answer.dataset = 'securitiesSummary' AND answer.key = symbol
      AND answer.trading_date = listed_symbol.trading_date
  GROUP BY ALL HAVING bool_and(coalesce(answer.state IN ('complete', 'empty'), false))
), board_index AS (
  SELECT *, mart.board_of_index(index_code) AS board
  FROM market.index_summary SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
)
SELECT board_index.*, board_member.* EXCLUDE (trading_date, board),
  trading_date IN (FROM whole_market_session) OR trading_date IN (FROM symbol_by_symbol_session) AS whole
FROM board_index JOIN board_member USING (trading_date, board);
