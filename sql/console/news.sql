-- grain: one row per kind of news of the latest nightly
-- What it has that the nightly of an earlier trading date had not, with up to 12 names.
-- No row where nothing is new.
WITH nightly AS (
  SELECT run_id, trading_date, finished_at, rows_changed
  FROM ops.run
  WHERE job = 'nightly' AND finished_at IS NOT NULL
), latest AS (
  SELECT trading_date, rows_changed
  FROM nightly
  ORDER BY run_id DESC
  LIMIT 1
), former AS (
  SELECT trading_date, finished_at
  FROM nightly
  WHERE trading_date < (SELECT trading_date FROM latest)
  ORDER BY run_id DESC
  LIMIT 1
), span AS (
  -- Before the first nightly nothing was stored that could have changed.
  SELECT latest.trading_date AS day, former.trading_date AS before, former.finished_at AS since,
    latest.rows_changed
  FROM latest
  LEFT JOIN former ON true
), item AS (
  SELECT DISTINCT 'session' AS kind, CAST(trading_date AS VARCHAR) AS name, 1 AS weight
  FROM market.daily_summary, span
  WHERE trading_date > coalesce(before, DATE '0001-01-01') AND trading_date <= day
  UNION ALL
  SELECT 'row', NULL, rows_changed FROM span WHERE rows_changed > 0
  UNION ALL
  SELECT 'fill', symbol, 1
  FROM mart.account_fill, span
  WHERE trading_date > coalesce(before, DATE '0001-01-01') AND trading_date <= day
  UNION ALL
  SELECT 'restated', coalesce(json_extract_string(key, '$.symbol'),
      json_extract_string(key, '$.index_code'), relation), 1
  FROM market.revision, span
  WHERE observed_at > since
  UNION ALL
  SELECT 'event', symbol, 1
  FROM mart.adjustment_event, span
  WHERE ex_date > before AND ex_date <= day
  UNION ALL
  SELECT 'listed', symbol, 1
  FROM market.security, span
  WHERE first_seen > before AND first_seen <= day
  UNION ALL
  SELECT 'gone', symbol, 1
  FROM market.security, span
  WHERE NOT is_listed AND last_seen >= before AND last_seen < day
  UNION ALL
  SELECT 'moved', symbol, 1
  FROM mart.board_transfer, span
  WHERE first_session_on_new_board > before AND first_session_on_new_board <= day
  UNION ALL
  SELECT 'member', symbol, 1
  FROM market.index_member, span
  WHERE valid_from > before AND valid_from <= day OR valid_to > before AND valid_to <= day
)
SELECT kind, CAST(sum(weight) AS BIGINT) AS count,
  list_slice(list_sort(list(DISTINCT name) FILTER (name IS NOT NULL)), 1, 12) AS names,
  count(DISTINCT name) AS name_count, span.day, span.before
FROM item, span
GROUP BY kind, span.day, span.before
ORDER BY list_position(
  ['session', 'row', 'fill', 'restated', 'event', 'listed', 'gone', 'moved', 'member'], kind)
