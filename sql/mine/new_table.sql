-- Each month of each symbol: its last close, its turnover and how many sessions it traded.
-- month: First day of the month.
-- turnover: VND of matched and negotiated trades.
-- sessions: Sessions with a trade.
--
-- A table is computed when a publication changes what it reads, and kept as a file of the lake: readers pay
-- nothing for what it computes. A view (candlehouse mine new view) is computed by each reader, and always as
-- new as what it reads. The first comment, up to an empty line, describes the table in the dictionary, the
-- prompt and the console; lines of the form "column: words" describe its columns. The name of this file is
-- the table's: my_months.sql is mine.my_months for all readers after the next publication (candlehouse
-- publish). To try it without one: candlehouse mine check.
--
-- It is one SELECT. Name relations with their schema (market, mart, account, ops, recon, mine). What there
-- is: candlehouse sql "show tables", candlehouse sql "describe market.daily_summary".
SELECT
  symbol,
  CAST(date_trunc('month', trading_date) AS DATE) AS month,
  max_by(close, trading_date) AS last_close,
  sum(total_match_value + total_deal_value) AS turnover,
  count(*) FILTER (WHERE total_match > 0) AS sessions
FROM market.daily_summary
GROUP BY ALL
