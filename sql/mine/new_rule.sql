-- rule: 1000
-- title: no share trades ten times its usual value
-- severity: warn
-- about: market
-- reach: back 45 days
-- needs: daily summaries of ten sessions before
-- why: what is ten times the median of the sessions before is worth a look
--
-- The head above is read line by line. rule: a number of its own from 1000 on. severity: warn is reported;
-- error also withholds the rows that break the rule from readers, until they hold, or until you override the
-- rule (candlehouse publish --accept). about: market, or accounts. reach: how many days before a session the
-- rule reads, at most 45.
--
-- The rule runs before the publication, on the sessions that a run changed. It reads market, account and
-- mart, not mine. It returns every row that it can check, with the columns below: subject is 'market', or an
-- account; relation and key name the row (candlehouse trace takes them); result is pass, soft, break or
-- not_evaluable. To try it without a run: candlehouse mine check.
WITH traded AS (
  SELECT symbol, trading_date, total_match_value AS traded_value,
    median(total_match_value) OVER before AS usual, count(*) OVER before AS sessions
  FROM market.daily_summary
  WINDOW before AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN 10 PRECEDING AND 1 PRECEDING)
)
SELECT
  trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  json_object('symbol', symbol, 'trading_date', trading_date) AS key,
  'at most ' || 10 * usual AS expected, traded_value AS actual, traded_value - 10 * usual AS residual,
  CASE WHEN traded_value > 10 * usual THEN 'break' ELSE 'pass' END AS result
FROM traded
WHERE sessions = 10 AND usual > 0
