-- grain: one row per rule that withholds rows, apart for the market and for accounts. keys: symbols, or codes
--   of indexes, whose rows are withheld: the first of them, and how many there are; none where the rule
--   withholds whole sessions.
WITH open_error AS (
  SELECT rule, any_value(title) AS title, count(DISTINCT trading_date) AS sessions,
    CAST(min(trading_date) AS VARCHAR) AS first_day, CAST(max(trading_date) AS VARCHAR) AS last_day,
    list(DISTINCT relation ORDER BY relation) AS relations,
    NOT starts_with(relation, 'account.') AS of_market,
    CASE WHEN bool_and(keys IS NOT NULL) THEN list_sort(list_distinct(flatten(list(keys)))) ELSE [] END
      AS keys
  FROM ($withheld)
  GROUP BY rule, of_market
)
SELECT rule, title, sessions, first_day AS "from", last_day AS "to", to_json(relations) AS relations,
  of_market AS "ofMarket", to_json(keys[1:3]) AS keys, len(keys) AS "keyCount"
FROM open_error
ORDER BY rule, of_market DESC;
