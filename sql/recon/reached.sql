-- grain: one row per session or trading date of snapshots that has findings and whose results can have
--   changed with what some runs brought, although they did not bring it. Bound as one JSON object: days
--   that the runs brought, trading dates of their lists and snapshots, and how many days the
--   rules about sessions and about snapshots look back. Variables reached_first, reached_last: the first and
--   the last of the days; reached_run: the first of the runs. Ids rise with the runs: a row that names
--   an older page was not changed by these runs. A session that came back as it was changes no result.
WITH bound AS (
  SELECT from_json(?, '{
    "days": ["DATE"], "lists": ["DATE"], "snapshots": ["DATE"],
    "session_back": "INTEGER", "snapshot_back": "INTEGER", "snapshots_back": "INTEGER"
  }') AS scope
), brought_day AS (
  SELECT unnest(scope.days) AS trading_date FROM bound
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
  SELECT DISTINCT trading_date FROM changed_row SEMI JOIN brought_day USING (trading_date)
), list_day AS (
  SELECT unnest(scope.lists) AS day FROM bound
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
  -- What a list changed is valid from its day on, or was until then.
  SELECT day AS first_day, DATE '9999-12-31' AS last_day
  FROM list_day
  WHERE day IN (SELECT valid_from FROM market.security_history UNION ALL
    SELECT valid_to FROM market.security_history UNION ALL
    SELECT valid_from FROM market.index_member UNION ALL
    SELECT valid_to FROM market.index_member)
  UNION ALL
  -- A symbol's first list counts for the sessions before it too, where it was listed or traded already.
  SELECT least(first_listing.first_trading_date, first_summary.first_day), day
  FROM first_listing LEFT JOIN first_summary USING (day)
), first_reached AS (
  -- Findings grow with every night; those of before are not read.
  SELECT min(day) AS day
  FROM (
    SELECT trading_date AS day FROM changed_day
    UNION ALL
    SELECT first_day FROM list_change
  )
), checked AS (
  SELECT DISTINCT trading_date, subject = 'market' AS is_session FROM recon.finding
  WHERE trading_date >= (SELECT day FROM first_reached)
), reached AS (
  SELECT checked.trading_date, is_session
  FROM checked JOIN changed_day
    ON checked.trading_date >= changed_day.trading_date
      AND checked.trading_date <= changed_day.trading_date + CASE
        WHEN is_session THEN (SELECT scope.session_back FROM bound)
        ELSE (SELECT scope.snapshot_back FROM bound)
      END
  UNION
  SELECT checked.trading_date, is_session
  FROM checked JOIN list_change
    ON checked.trading_date BETWEEN list_change.first_day AND list_change.last_day
  UNION
  -- A snapshot is the one before for those that follow it, up to the next complete one of the account.
  SELECT later.as_of, false
  FROM account.snapshot brought
  JOIN account.snapshot later ON later.account_no = brought.account_no AND later.as_of > brought.as_of
  WHERE brought.as_of IN (SELECT unnest(scope.snapshots) FROM bound)
    AND later.as_of <= coalesce((SELECT min(complete.as_of) FROM account.snapshot complete
      WHERE complete.account_no = brought.account_no AND complete.as_of > brought.as_of
        AND complete.state = 'complete'), DATE '9999-12-31')
  UNION
  -- What a snapshot shows of the account's fees counts for those of the days after it.
  SELECT later.as_of, false
  FROM account.snapshot brought
  JOIN account.snapshot later ON later.account_no = brought.account_no AND later.as_of > brought.as_of
    AND later.as_of <= brought.as_of + (SELECT scope.snapshots_back FROM bound)
  WHERE brought.as_of IN (SELECT unnest(scope.snapshots) FROM bound)
)
SELECT DISTINCT CAST(trading_date AS VARCHAR) AS day, is_session
FROM reached
WHERE NOT CASE WHEN is_session THEN trading_date IN (FROM brought_day)
  ELSE trading_date IN (SELECT unnest(scope.snapshots) FROM bound) END
ORDER BY ALL
