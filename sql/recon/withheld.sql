-- grain: one row per relation, trading date and rule that withholds the session from readers: its
--   severity is error, its finding is open, and no override covers it. Other statements include this one:
--   publishing, status and metrics.
SELECT unnest(string_split(relations, ',')) AS relation, trading_date, rule, title, offenders, since
FROM recon.finding
WHERE severity = 'error' AND state = 'break' AND accepted IS NULL
