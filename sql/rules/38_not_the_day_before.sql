-- grain: one row per daily summary and index summary with matched volume that has one before it
-- rule: 38
-- title: a day is not the day before again
-- severity: error
-- about: market
-- reach: back 45 days, forward 0 days
-- needs: daily or index summaries with matched volume, and those before them
-- silence: a session without one before it has nothing to compare; where figures are lost, rule 1 is silent
-- why: a service that was not updated answers with yesterday under the new date. A symbol that trades one lot
--   at one price may repeat itself: soft; all seven prices, volumes and values of half of the market do not
-- evidence: none measured, HOSE
-- evidence: none measured, HNX
-- evidence: none measured, UPCOM
-- evidence: none measured, DERIVATIVE
-- tolerance: a break from 5 symbols (or indexes) and half of those that traded
WITH pair AS (
  SELECT trading_date, 'market.daily_summary' AS relation, symbol AS name, total_match, before_date,
    open = before_open AND high = before_high AND low = before_low AND close = before_close
      AND average = before_average
      AND total_match = before_match AND total_match_value = before_value AS same
  FROM audit_day
  UNION ALL
  SELECT today.trading_date, 'market.index_summary', today.index_code, today.total_match, before.trading_date,
    today.index_value = before.index_value AND today.total_match = before.total_match
      AND today.total_match_value = before.total_match_value
  FROM market.index_summary today JOIN audit_session ON audit_session.trading_date = today.trading_date
  JOIN market.index_summary before
    ON before.index_code = today.index_code AND before.trading_date = audit_session.previous_date
  WHERE today.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    AND before.trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
), repeat_count AS (
  SELECT *, count_if(same) OVER session AS repeated, count(*) OVER session AS traded
  FROM pair WHERE total_match > 0 AND before_date IS NOT NULL
  WINDOW session AS (PARTITION BY relation, trading_date)
)
SELECT trading_date, 'market' AS subject, relation,
  CASE relation
    WHEN 'market.index_summary' THEN index_key(name, trading_date)
    ELSE day_key(name, trading_date)
  END AS key,
  'other than ' || before_date AS expected,
  'the same, as ' || repeated || ' of ' || traded AS actual, NULL AS residual,
  CASE
    WHEN NOT coalesce(same, false) THEN 'pass'
    WHEN repeated >= 5 AND repeated >= 0.5 * traded THEN 'break'
    ELSE 'soft'
  END AS result
FROM repeat_count
