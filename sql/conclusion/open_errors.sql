-- grain: one row per rule of severity error with open findings that nobody has overridden, apart for the
--   market and for accounts
SELECT rule, any_value(title) AS title, count(DISTINCT trading_date) AS sessions,
  CAST(min(trading_date) AS VARCHAR) AS "from", CAST(max(trading_date) AS VARCHAR) AS "to",
  to_json(list_sort(list_distinct(flatten(list(string_split(relations, ',')))))) AS relations,
  subject = 'market' AS "ofMarket"
FROM recon.finding
WHERE severity = 'error' AND state = 'break' AND accepted IS NULL
GROUP BY rule, subject = 'market'
ORDER BY rule, subject = 'market' DESC;
