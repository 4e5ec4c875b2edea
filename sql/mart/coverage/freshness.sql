-- grain: one row per dataset and timeframe that was requested
-- A session is stored when at least one of its windows was answered with records. Empty, incomplete and
-- refused windows do not count.
CREATE OR REPLACE VIEW mart.freshness AS
WITH dataset_sessions AS (
  SELECT dataset, timeframe,
    min(trading_date) FILTER (WHERE complete + imported > 0) AS first_session,
    max(trading_date) FILTER (WHERE complete + imported > 0) AS latest_session,
    count_if(complete + imported > 0) AS sessions_held, count_if(is_missing) AS sessions_missing,
    count_if(incomplete > 0) AS sessions_incomplete
  FROM mart.coverage
  GROUP BY dataset, timeframe
), latest_run AS (
  -- ids of pages begin with that of their run, and runs sort by their start; as a list: DuckDB expects few
  SELECT list_distinct(list(regexp_replace(latest_id, '-[^-]*$', ''))) AS runs
  FROM (SELECT max(request_id) AS latest_id FROM ops.coverage GROUP BY dataset, timeframe)
), latest_request AS (
  SELECT request_id, received_at
  FROM ops.request
  WHERE run_id IN (SELECT unnest(runs) FROM latest_run)
), latest_answer AS (
  SELECT coverage.dataset, coalesce(coverage.timeframe, '') AS timeframe,
    max(latest_request.received_at) AS latest_received_at
  FROM ops.coverage coverage
  JOIN latest_request ON latest_request.request_id = coverage.request_id
  GROUP BY coverage.dataset, coalesce(coverage.timeframe, '')
), today AS (
  SELECT CAST(mart.exchange_time(now()) AS DATE) AS day
), expiry AS (
  -- Missing sessions have no window with an expiry: theirs is as far from their day as that of sessions with
  -- one.
  SELECT dataset, timeframe, min(expires_on) AS next_expires_on
  FROM (
    SELECT dataset, coalesce(timeframe, '') AS timeframe, expires_on
    FROM ops.coverage WHERE state = 'incomplete'
    UNION ALL
    SELECT missing.dataset, missing.timeframe, missing.trading_date + term.days
    FROM mart.coverage missing
    JOIN (
      SELECT dataset, coalesce(timeframe, '') AS timeframe,
        CAST(max(expires_on - window_from) AS INTEGER) AS days
      FROM ops.coverage GROUP BY ALL
    ) term ON term.dataset = missing.dataset AND term.timeframe = missing.timeframe
    WHERE missing.is_missing
  ), today
  WHERE expires_on > today.day
  GROUP BY dataset, timeframe
)
SELECT dataset_sessions.dataset, dataset_sessions.timeframe, first_session, latest_session, sessions_held,
  sessions_missing, sessions_incomplete,
  latest_received_at, (SELECT max(published_at) FROM ops.publication) AS latest_published_at,
  next_expires_on, next_expires_on - today.day AS days_to_next_expiry
FROM dataset_sessions
CROSS JOIN today
LEFT JOIN latest_answer
  ON latest_answer.dataset = dataset_sessions.dataset AND latest_answer.timeframe = dataset_sessions.timeframe
LEFT JOIN expiry
  ON expiry.dataset = dataset_sessions.dataset AND expiry.timeframe = dataset_sessions.timeframe;
COMMENT ON VIEW mart.freshness IS
  'One row per dataset and timeframe: first and last stored session, when it last arrived and was '
  'published, what is missing in between and when the service stops serving that.';
COMMENT ON COLUMN mart.freshness.first_session IS
  'First session of which records are stored; null when there is none.';
COMMENT ON COLUMN mart.freshness.latest_session IS
  'Latest session of which records are stored; null when there is none.';
COMMENT ON COLUMN mart.freshness.sessions_held IS
  'Sessions of which records are stored, of at least one symbol, index, board or account.';
COMMENT ON COLUMN mart.freshness.sessions_missing IS
  'Weekdays between first_session and latest_session, not known to be closed, that were never requested '
  '(mart.coverage).';
COMMENT ON COLUMN mart.freshness.sessions_incomplete IS 'Sessions with a window to be asked again.';
COMMENT ON COLUMN mart.freshness.latest_received_at IS
  'Receipt of the latest page that answered a window; null where the ledger names no page.';
COMMENT ON COLUMN mart.freshness.latest_published_at IS
  'When the latest publication was made, of whatever dataset; null before the first.';
COMMENT ON COLUMN mart.freshness.next_expires_on IS
  'First day from today on from which the service no longer serves something that is incomplete or missing; '
  'null when nothing of that kind expires.';
COMMENT ON COLUMN mart.freshness.days_to_next_expiry IS 'Days from today (exchange time) to next_expires_on.';
