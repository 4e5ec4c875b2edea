-- grain: one row per index summary with a value and a change
-- rule: 18
-- title: index value − change = value of the session before; the percentage agrees
-- severity: warn
-- about: market
-- reach: back 45 days, forward 0 days
-- needs: an index summary with value and change, and one of the session before or a percentage
-- why: three figures of one calculation. Where a weekday lies between the session and the stored one before,
--   that one may not be the session before: a difference is soft
-- evidence: none measured
-- tolerance: 0.01: each figure is rounded to hundredths
WITH index_day AS (
  SELECT index_code, trading_date, previous_date, index_change_percentage AS percentage,
    num(index_value) - num(index_change) AS basis, num(index_change) AS change
  FROM market.index_summary JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last') AND index_value > 0
), index_before AS (
  SELECT index_code, trading_date AS previous_date, num(index_value) AS value
  FROM market.index_summary
  SEMI JOIN (SELECT previous_date AS trading_date FROM audit_session) USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
    AND index_value > 0
), comparison AS (
  SELECT *, basis - value AS value_off,
    CASE WHEN basis > 0 AND isfinite(percentage) THEN percentage - change / basis * 100 END AS percentage_off,
    trading_date - previous_date
      <= CASE isodow(previous_date) WHEN 5 THEN 3 WHEN 6 THEN 2 ELSE 1 END AS adjacent
  FROM index_day LEFT JOIN index_before USING (index_code, previous_date)
)
SELECT trading_date, 'market' AS subject, 'market.index_summary' AS relation,
  index_key(index_code, trading_date) AS key,
  concat_ws(', ', 'before ' || as_text(value),
    as_text(round(change / nullif(basis, 0) * 100, 4)) || ' %') AS expected,
  concat_ws(', ', 'before ' || as_text(round(basis, 6)), as_text(percentage) || ' %') AS actual,
  CASE WHEN abs(value_off) > 0.010001 THEN value_off ELSE percentage_off END AS residual,
  CASE
    WHEN abs(percentage_off) > 0.010001 OR abs(value_off) > 0.010001 AND adjacent THEN 'break'
    WHEN abs(value_off) > 0.010001 THEN 'soft'
    ELSE 'pass'
  END AS result
FROM comparison
WHERE value_off IS NOT NULL OR percentage_off IS NOT NULL
