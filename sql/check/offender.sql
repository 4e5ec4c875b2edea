-- grain: one row per offender of a rule, the worst ones of each subject and trading date
-- withheld_key: what the key of the row names; * where it names none, or where more rows break than are
-- stored.
INSERT INTO offender BY NAME
WITH $steps checked_row AS (
  $rows
), offending_row AS (
  SELECT *, $severity AS severity
  FROM checked_row
  WHERE result IN ('break', 'soft')
), stored_row AS (
  SELECT *, count(*) FILTER (severity = 'break') OVER same_subject > $most AS is_cut
  FROM offending_row
  WINDOW same_subject AS (PARTITION BY subject, trading_date)
  QUALIFY row_number() OVER (
    PARTITION BY subject, trading_date
    ORDER BY list_position(['break', 'warn', 'soft'], severity),
      abs(TRY_CAST(residual AS DOUBLE)) DESC NULLS LAST, relation, key
  ) <= $most
)
SELECT $rule AS rule, subject, trading_date, relation, key, result AS state,
  CAST(expected AS VARCHAR) AS expected, CAST(actual AS VARCHAR) AS actual,
  TRY_CAST(residual AS DECIMAL(38,4)) AS residual,
  CASE WHEN $is_error AND severity = 'break' THEN CASE
    WHEN is_cut THEN '*'
    ELSE coalesce(json_extract_string(key, '$.symbol'), json_extract_string(key, '$.index_code'),
      json_extract_string(key, '$.key'), '*')
  END END AS withheld_key
FROM stored_row;
