-- grain: one row per rule of severity error with open findings that nobody has overridden, apart for the
--   market and for accounts. keys: symbols, or codes of indexes, whose rows are withheld: the first of them,
--   and how many there are; none where the rule withholds whole sessions.
WITH open_error AS (
  SELECT *, subject = 'market' AS of_market
  FROM recon.finding
  WHERE severity = 'error' AND state = 'break' AND accepted IS NULL
), withheld_key AS (
  SELECT rule, NOT starts_with(relation, 'account.') AS of_market,
    CASE WHEN bool_and(keys IS NOT NULL) THEN list_sort(list_distinct(flatten(list(keys)))) ELSE [] END
      AS keys
  FROM ($withheld)
  GROUP BY ALL
)
SELECT rule, any_value(title) AS title, count(DISTINCT trading_date) AS sessions,
  CAST(min(trading_date) AS VARCHAR) AS "from", CAST(max(trading_date) AS VARCHAR) AS "to",
  to_json(list_sort(list_distinct(flatten(list(string_split(relations, ',')))))) AS relations,
  of_market AS "ofMarket",
  to_json(coalesce(any_value(keys)[1:3], [])) AS keys, coalesce(len(any_value(keys)), 0) AS "keyCount"
FROM open_error LEFT JOIN withheld_key USING (rule, of_market)
GROUP BY rule, of_market
ORDER BY rule, of_market DESC;
