-- grain: one row per rule and symbol of rows for which it does not hold, the newest first
-- Rows without a symbol are named by their index, account or subject. An empty $rule means all rules.
WITH named_offender AS (
  $named_offender
)
SELECT rule, name, count(*) AS offenders, count(DISTINCT trading_date) AS sessions,
  min(trading_date) AS first_date, max(trading_date) AS last_date,
  CASE WHEN bool_or(state = 'break') THEN 'break' ELSE 'soft' END AS state
FROM named_offender
WHERE $rule = '' OR CAST(rule AS VARCHAR) = $rule
GROUP BY rule, name
ORDER BY last_date DESC, offenders DESC, rule, name
