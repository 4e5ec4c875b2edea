-- grain: one row per account and trading date of which a snapshot was taken
-- The latest complete snapshot of the day counts. A day that has only partial ones is there without any: what
-- is missing is not reported, and never read as nothing held.
-- A snapshot of a day without trading belongs to the session before it (mart.session_of_closed_day).
-- A snapshot whose receipt lies more than a day after that of the snapshot that was taken last was taken by a
-- clock that was ahead (ids sort by start, whatever the clock said): its day is none.
CREATE OR REPLACE VIEW mart.account_day AS
WITH dated_snapshot AS (
  SELECT *
  FROM account.snapshot
  -- the latest receipt of the snapshot that was taken last
  QUALIFY account_no <> '*'
    AND received_at <= arg_max(received_at, (snapshot_id, received_at)) OVER () + INTERVAL 1 DAY
), session_snapshot AS (
  SELECT snapshot.* REPLACE (coalesce(closed.session, snapshot.as_of) AS as_of)
  FROM dated_snapshot snapshot
  LEFT JOIN mart.session_of_closed_day() closed ON closed.day = snapshot.as_of
), day AS (
  SELECT account_no, as_of,
    arg_max(snapshot_id, received_at) FILTER (WHERE state = 'complete') AS snapshot_id,
    max(received_at) FILTER (WHERE state = 'complete') AS received_at,
    arg_max(key_name, (state = 'complete', received_at)) AS key_name,
    arg_max(missing, received_at) FILTER (WHERE state <> 'complete') AS missing
  FROM session_snapshot
  GROUP BY account_no, as_of
), day_pair AS (
  SELECT *,
    max(CASE WHEN snapshot_id IS NOT NULL THEN as_of END) OVER earlier AS before_of
  FROM day
  WINDOW earlier AS (PARTITION BY account_no ORDER BY as_of ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT day_pair.account_no,
  coalesce(account.account_type, CASE right(day_pair.account_no, 1)
    WHEN '1' THEN 'CASH'
    WHEN '6' THEN 'MARGIN'
    WHEN '8' THEN 'DERIVATIVE'
  END) AS account_type,
  day_pair.as_of AS trading_date,
  CASE WHEN snapshot_id IS NOT NULL THEN 'complete' ELSE 'partial' END AS state,
  snapshot_id, received_at, day_pair.key_name,
  CASE WHEN snapshot_id IS NULL THEN missing END AS missing, before_of
FROM day_pair
LEFT JOIN account.account account ON account.account_no = day_pair.account_no;
COMMENT ON VIEW mart.account_day IS
  'One row per account and trading date of which a snapshot was taken: the latest complete one of that day, '
  'and the complete day before it.';
COMMENT ON COLUMN mart.account_day.account_type IS
  'CASH, MARGIN or DERIVATIVE; where the account list does not report it, by the last digit of the number.';
COMMENT ON COLUMN mart.account_day.trading_date IS
  'Session the snapshot is for (account.snapshot.as_of; for a day without trading, also one that no calendar '
  'names once a later session has data, the session before it).';
COMMENT ON COLUMN mart.account_day.state IS 'complete; partial where no snapshot of that day is complete.';
COMMENT ON COLUMN mart.account_day.snapshot_id IS
  'Latest complete snapshot of the day; null where there is none.';
COMMENT ON COLUMN mart.account_day.received_at IS 'Receipt of its last page; null where there is none.';
COMMENT ON COLUMN mart.account_day.key_name IS
  'Name of the API key that read that snapshot; where there is none, of the latest partial one.';
COMMENT ON COLUMN mart.account_day.missing IS
  'What the latest partial snapshot lacks and why; null where a complete one is stored.';
COMMENT ON COLUMN mart.account_day.before_of IS
  'Trading date of the account''s complete snapshot before this day; null for the first.';
