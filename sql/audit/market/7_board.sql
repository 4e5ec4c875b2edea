-- grain: one row per index of a whole board and session to judge: its summary, what the members' summaries add
--   up to, and whether all of them are held. Boards count stocks, HOSE also ETFs and funds, none covered warrants
--   (docs/market-facts.md#board-totals).
CREATE OR REPLACE TEMP TABLE judged_board AS
WITH member AS (
  SELECT trading_date, board,
    sum(total_match) AS match, sum(total_match_value) AS match_value, sum(total_deal) AS deal, sum(total_deal_value) AS deal_value,
    count(*) FILTER (total_match > 0 AND close > ref_price) AS rising,
    count(*) FILTER (total_match > 0 AND close < ref_price) AS falling,
    count(*) FILTER (total_match > 0 AND close = ref_price) AS unchanged,
    count(*) FILTER (coalesce(total_match, 0) = 0) AS untraded,
    -- traded, but not known from what price on
    count(*) FILTER (total_match > 0 AND NOT (coalesce(close, 0) > 0 AND coalesce(ref_price, 0) > 0)) AS unknown
  FROM judged_day WHERE kind = 'stock' OR kind = 'etf' AND board = 'HOSE'
  GROUP BY trading_date, board
), at_once AS (
  SELECT trading_date FROM judged_coverage WHERE dataset = 'securitiesSummary' AND key = '*' AND state = 'complete'
), one_by_one AS (
  SELECT listed_symbol.trading_date
  FROM listed_symbol LEFT JOIN judged_coverage answer
    ON answer.dataset = 'securitiesSummary' AND answer.key = symbol AND answer.trading_date = listed_symbol.trading_date
  GROUP BY ALL HAVING bool_and(coalesce(answer.state IN ('complete', 'empty'), false))
), board_index AS (
  SELECT *, mart.board_of_index(index_code) AS board
  FROM market.index_summary SEMI JOIN audited USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
)
SELECT board_index.*, member.* EXCLUDE (trading_date, board),
  trading_date IN (FROM at_once) OR trading_date IN (FROM one_by_one) AS whole
FROM board_index JOIN member USING (trading_date, board);
