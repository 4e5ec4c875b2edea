-- grain: one row per relation, trading date and rule that withholds rows: as text, keys as a JSON array
SELECT relation, CAST(trading_date AS VARCHAR) AS "tradingDate", rule, title, offenders,
  CAST(to_json(keys) AS VARCHAR) AS keys, strftime(since, '%Y-%m-%dT%H:%M:%SZ') AS since
FROM (
  $withheld
) withheld
ORDER BY trading_date, rule, relation;
