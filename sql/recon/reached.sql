-- grain: one row per session or trading date of snapshots that has findings, was not landed by the runs of a
-- scope, and whose results can have changed with rows of these runs. Bound as one JSON object: days of the
-- runs, trading dates of their lists and snapshots, and how many days the rules about sessions and about
-- snapshots look back. Variables reached_first, reached_last: the first and the last of the days;
-- reached_run: the first of the runs. Ids rise with the runs, so a row with an older page was not changed by
-- these runs. A session whose rows did not change changes no result.
WITH run_scope AS (
  SELECT from_json(?, '{
    "days": ["DATE"], "lists": ["DATE"], "snapshots": ["DATE"],
    "session_back": "INTEGER", "snapshot_back": "INTEGER", "snapshots_back": "INTEGER"
  }') AS scope
), scope_day AS (
  SELECT unnest(scope.days) AS trading_date FROM run_scope
), changed_row AS (
  SELECT trading_date, request_id FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('reached_first') AND getvariable('reached_last')
    AND request_id >= getvariable('reached_run')
  UNION ALL
  SELECT trading_date, request_id FROM market.price_limit
  WHERE trading_date BETWEEN getvariable('reached_first') AND getvariable('reached_last')
    AND request_id >= getvariable('reached_run')
  UNION ALL
  SELECT trading_date, request_id FROM market.index_summary
  WHERE trading_date BETWEEN getvariable('reached_first') AND getvariable('reached_last')
    AND request_id >= getvariable('reached_run')
  UNION ALL
  SELECT trading_date, request_id FROM market.candle
  WHERE trading_date BETWEEN getvariable('reached_first') AND getvariable('reached_last')
    AND request_id >= getvariable('reached_run')
  UNION ALL
  SELECT window_from, request_id FROM ops.coverage
  WHERE window_from BETWEEN getvariable('reached_first') AND getvariable('reached_last')
    AND request_id >= getvariable('reached_run')
), changed_day AS (
  SELECT DISTINCT trading_date FROM changed_row SEMI JOIN scope_day USING (trading_date)
), list_day AS (
  SELECT unnest(scope.lists) AS day FROM run_scope
), newly_listed AS (
  SELECT symbol, min(valid_from) AS day, arg_min(first_trading_date, valid_from) AS first_trading_date
  FROM market.security_history GROUP BY symbol HAVING day IN (FROM list_day)
), first_listing AS (
  SELECT day, min(first_trading_date) AS first_trading_date FROM newly_listed GROUP BY day
), first_summary AS (
  SELECT day, min(summary.trading_date) AS first_day
  FROM newly_listed JOIN market.daily_summary summary
    ON summary.symbol = newly_listed.symbol AND summary.trading_date < day
  GROUP BY day
), list_change AS (
  -- Validities that a list changed begin or end on its day.
  SELECT day AS first_day, DATE '9999-12-31' AS last_day
  FROM list_day
  WHERE day IN (SELECT valid_from FROM market.security_history UNION ALL
    SELECT valid_to FROM market.security_history UNION ALL
    SELECT valid_from FROM market.index_member UNION ALL
    SELECT valid_to FROM market.index_member)
  UNION ALL
  -- The first list of a symbol also counts for earlier sessions on which it was listed or traded.
  SELECT least(first_listing.first_trading_date, first_summary.first_day), day
  FROM first_listing LEFT JOIN first_summary USING (day)
), first_reached AS (
  -- The number of findings grows every night, so findings of earlier days are not read.
  SELECT min(day) AS day
  FROM (
    SELECT trading_date AS day FROM changed_day
    UNION ALL
    SELECT first_day FROM list_change
  )
), checked_subject AS (
  SELECT DISTINCT trading_date, subject = 'market' AS is_session FROM recon.finding
  WHERE trading_date >= (SELECT day FROM first_reached)
), reached_subject AS (
  SELECT checked_subject.trading_date, is_session
  FROM checked_subject JOIN changed_day
    ON checked_subject.trading_date >= changed_day.trading_date
      AND checked_subject.trading_date <= changed_day.trading_date + CASE
        WHEN is_session THEN (SELECT scope.session_back FROM run_scope)
        ELSE (SELECT scope.snapshot_back FROM run_scope)
      END
  UNION
  SELECT checked_subject.trading_date, is_session
  FROM checked_subject JOIN list_change
    ON checked_subject.trading_date BETWEEN list_change.first_day AND list_change.last_day
  UNION
  -- Snapshots up to the next complete one of the account are compared with this snapshot.
  SELECT later.as_of, false
  FROM account.snapshot scope_snapshot
  JOIN account.snapshot later
    ON later.account_no = scope_snapshot.account_no AND later.as_of > scope_snapshot.as_of
  WHERE scope_snapshot.as_of IN (SELECT unnest(scope.snapshots) FROM run_scope)
    AND later.as_of <= coalesce((SELECT min(complete.as_of) FROM account.snapshot complete
      WHERE complete.account_no = scope_snapshot.account_no AND complete.as_of > scope_snapshot.as_of
        AND complete.state = 'complete'), DATE '9999-12-31')
  UNION
  -- Rules about later snapshots read the account's fees in this one.
  SELECT later.as_of, false
  FROM account.snapshot scope_snapshot
  JOIN account.snapshot later
    ON later.account_no = scope_snapshot.account_no AND later.as_of > scope_snapshot.as_of
    AND later.as_of <= scope_snapshot.as_of + (SELECT scope.snapshots_back FROM run_scope)
  WHERE scope_snapshot.as_of IN (SELECT unnest(scope.snapshots) FROM run_scope)
)
SELECT DISTINCT CAST(trading_date AS VARCHAR) AS day, is_session
FROM reached_subject
WHERE NOT CASE WHEN is_session THEN trading_date IN (FROM scope_day)
  ELSE trading_date IN (SELECT unnest(scope.snapshots) FROM run_scope) END
ORDER BY ALL
