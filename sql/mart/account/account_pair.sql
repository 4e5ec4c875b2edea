-- grain: one row per account whose latest snapshot of a trading date is complete and has a complete one
--   before it
-- sessions: how many sessions the market had after the snapshot before, up to this one; null where the stored
-- market data does not show it (45 days back at most, which reach over the longest closure).
-- before_is_whole: the snapshot before was taken when its session was over; its figures of that session are
-- final.
CREATE OR REPLACE MACRO mart.account_pair(as_of_day) AS TABLE
WITH latest_snapshot AS (
  SELECT account_no, any_value(as_of) AS as_of, arg_max(snapshot_id, received_at) AS snapshot_id,
    arg_max(state, received_at) AS state, max(received_at) AS received_at
  FROM account.snapshot WHERE as_of = CAST(as_of_day AS DATE) AND account_no <> '*' GROUP BY account_no
), snapshot_before AS (
  SELECT account_no, arg_max(snapshot_id, (as_of, received_at)) AS before_id, max(as_of) AS before_of,
    arg_max(received_at, (as_of, received_at)) AS before_at
  FROM account.snapshot WHERE as_of < CAST(as_of_day AS DATE) AND state = 'complete' GROUP BY account_no
), session AS (
  SELECT trading_date FROM market.daily_summary
  WHERE trading_date BETWEEN CAST(as_of_day AS DATE) - 45 AND CAST(as_of_day AS DATE)
  UNION
  SELECT trading_date FROM market.price_limit
  WHERE trading_date BETWEEN CAST(as_of_day AS DATE) - 45 AND CAST(as_of_day AS DATE)
)
SELECT latest_snapshot.account_no, latest_snapshot.snapshot_id, latest_snapshot.as_of,
  latest_snapshot.received_at,
  snapshot_before.before_id, snapshot_before.before_of, snapshot_before.before_at,
  CASE
    WHEN latest_snapshot.as_of - snapshot_before.before_of <= 45
      AND EXISTS (FROM session WHERE session.trading_date = latest_snapshot.as_of)
      THEN (SELECT count(*) FROM session WHERE session.trading_date > snapshot_before.before_of)
  END AS sessions,
  coalesce(mart.exchange_time(snapshot_before.before_at)
    >= snapshot_before.before_of + mart.closing_time(snapshot_before.before_of), false) AS before_is_whole
FROM latest_snapshot JOIN snapshot_before USING (account_no)
WHERE latest_snapshot.state = 'complete';
COMMENT ON MACRO TABLE mart.account_pair IS
  'Accounts whose latest snapshot of a trading date is complete, with the complete one before it.';
