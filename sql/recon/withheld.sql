-- grain: one row per relation, trading date and rule that withholds rows from readers: its severity is error,
--   its finding is open, and no override covers it. Other statements include this one: publishing, status,
--   metrics and the daily bars of the catalog. keys: symbols, or codes of indexes, whose rows of the session
--   are withheld; null: all of them, because the rule names sessions, or because more rows break it than are
--   stored.
WITH open_break AS (
  SELECT unnest(string_split(relations, ',')) AS relation, subject, trading_date, rule, title,
    offenders, since
  FROM recon.finding
  WHERE severity = 'error' AND state = 'break' AND accepted IS NULL
), offender AS (
  -- A catalog that an earlier version published has no column withheld_key: it withheld sessions.
  SELECT * FROM (SELECT NULL::VARCHAR AS withheld_key LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM recon.offender
), named_key AS (
  SELECT rule, subject, trading_date, relation, list(DISTINCT withheld_key ORDER BY withheld_key) AS keys
  FROM offender SEMI JOIN open_break USING (rule, subject, trading_date, relation)
  WHERE withheld_key IS NOT NULL
  GROUP BY rule, subject, trading_date, relation
)
SELECT relation, trading_date, rule, title, offenders, since,
  CASE WHEN NOT list_contains(keys, '*') THEN keys END AS keys
FROM open_break LEFT JOIN named_key USING (rule, subject, trading_date, relation)
