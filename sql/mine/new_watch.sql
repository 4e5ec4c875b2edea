-- Shares that closed five percent or more above or below the close before
-- key: symbol, trading_date
--
-- The first comment, up to an empty line, is the title. The watch is evaluated after each publication; a row
-- is reported once, in the summary, the report, the console and the notification. key: columns that say which
-- row it is; without the line all columns are the key, and a row that changes is a new one. The rows of the
-- first evaluation are counted, not reported. At most 20 rows of a watch are named in a run.
--
-- It is one SELECT. It may read mine.NAME too. Take few sessions: what it gives, at most 10,000 rows, is
-- compared with all rows of before. To try it without a run: candlehouse mine check.
SELECT symbol, trading_date, close, price_change_percentage
FROM market.daily_summary
WHERE trading_date = mart.latest_session() AND abs(price_change_percentage) >= 5
ORDER BY symbol
