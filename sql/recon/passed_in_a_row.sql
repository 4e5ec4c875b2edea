-- grain: one row per rule and account with at least so many passed sessions since its last other result.
--   Bound: the rules as a JSON array, and the number of sessions
WITH rule_history AS (
  SELECT rule, title, subject, trading_date, state,
    max(trading_date) FILTER (state IN ('soft', 'break')) OVER (PARTITION BY rule, subject) AS last_offence
  FROM recon.finding
  WHERE list_contains(from_json(?, '["INTEGER"]'), rule) AND subject <> '*'
)
SELECT rule, any_value(title) AS title, subject AS account, count(*) AS sessions
FROM rule_history
WHERE state = 'pass' AND (last_offence IS NULL OR trading_date > last_offence)
GROUP BY rule, subject HAVING count(*) >= ?
ORDER BY rule, subject
