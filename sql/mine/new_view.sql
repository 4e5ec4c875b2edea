-- Symbols with the turnover of their last 20 sessions, the largest first.
-- turnover: VND of matched and negotiated trades in the last 20 sessions.
--
-- The first comment, up to an empty line, describes the view in the dictionary, the prompt and the console;
-- lines of the form "column: words" describe its columns. The name of this file is the view's: my_stocks.sql
-- is mine.my_stocks for all readers after the next publication (candlehouse publish). To try it without one:
-- candlehouse mine check.
--
-- It is one SELECT. Name relations with their schema (market, mart, account, ops, recon, mine). What there
-- is: candlehouse sql "show tables", candlehouse sql "describe market.daily_summary".
WITH last_month AS (
  SELECT symbol, trading_date, total_match_value + total_deal_value AS total_value
  FROM market.daily_summary
  QUALIFY dense_rank() OVER (ORDER BY trading_date DESC) <= 20
)
SELECT symbol, max(trading_date) AS trading_date, sum(total_value) AS turnover
FROM last_month
GROUP BY symbol
ORDER BY turnover DESC
