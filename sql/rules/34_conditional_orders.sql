-- grain: one row per conditional order of a complete snapshot
-- rule: 34
-- title: 0 ≤ matched ≤ quantity; to ≤ from + 31 days; the history rises in time and ends with the status
-- severity: warn
-- about: accounts
-- reach: back 0 days, forward 0 days, snapshot before
-- needs: a complete snapshot with conditional orders
-- why: the specification gives the 31 days and says what a history is; a history that ends elsewhere was read
--   in part
-- evidence: none measured
-- tolerance: none on quantities. Validity of more than 31 days is soft: live deployments do not check it
--   (docs/market-facts.md#conditional-orders). Histories may be reported oldest or newest first: equal times
--   may stand either way. While the session ran (8:45 to 15:10) the status may have moved on between the two
--   answers: soft. So it is where the history was reported for a snapshot before and not requested again,
--   since it had ended. An order without history is not checked on it
WITH conditional AS (
  SELECT orders.*, snapshot.as_of, snapshot.received_at, snapshot_before.received_at AS before_at
  FROM audit_account snapshot
  LEFT JOIN account.snapshot snapshot_before
    ON snapshot_before.snapshot_id = snapshot.before_id AND snapshot_before.account_no = snapshot.account_no
  JOIN account.conditional_order orders
    ON orders.snapshot_id = snapshot.snapshot_id AND orders.account_no = snapshot.account_no
  WHERE snapshot.state = 'complete'
), history_step AS (
  SELECT conditional.snapshot_id, conditional.account_no, conditional.fco_id, event.ordinal, event.state,
    event.occurred_at,
    event.loaded_at <= conditional.before_at AS is_kept,
    lag(event.occurred_at) OVER (PARTITION BY conditional.snapshot_id, conditional.account_no,
      conditional.fco_id ORDER BY event.ordinal) AS occurred_before
  FROM conditional
  JOIN account.conditional_order_event event
    ON event.snapshot_id = conditional.snapshot_id AND event.account_no = conditional.account_no
      AND event.fco_id = conditional.fco_id
), history AS (
  SELECT snapshot_id, account_no, fco_id,
    bool_or(occurred_at < occurred_before) AS falls, bool_or(occurred_at > occurred_before) AS rises,
    coalesce(bool_and(is_kept), false) AS is_kept,
    arg_min(state, ordinal) AS first_state, arg_max(state, ordinal) AS last_state
  FROM history_step GROUP BY ALL
), order_state AS (
  SELECT conditional.*, coalesce(falls AND rises, false) AS is_mixed, coalesce(is_kept, false) AS is_kept,
    CASE WHEN coalesce(falls, false) THEN first_state ELSE last_state END AS ends_with,
    history.fco_id IS NOT NULL AND NOT coalesce(falls, false) AND NOT coalesce(rises, false)
      AND status IN (first_state, last_state) AS is_undirected,
    coalesce(matched_quantity < 0 OR matched_quantity > quantity, false) AS is_over,
    coalesce(to_at > from_at + INTERVAL 31 DAY OR to_at < from_at, false) AS is_long
  FROM conditional
  LEFT JOIN history
    ON history.snapshot_id = conditional.snapshot_id AND history.account_no = conditional.account_no
      AND history.fco_id = conditional.fco_id
), order_check AS (
  SELECT *, NOT is_undirected AND ends_with IS DISTINCT FROM status
    AND ends_with IS NOT NULL AS ends_elsewhere
  FROM order_state
)
SELECT as_of AS trading_date, account_no AS subject,
  CASE
    WHEN NOT is_over AND (is_mixed OR ends_elsewhere) THEN 'account.conditional_order_event'
    ELSE 'account.conditional_order'
  END AS relation,
  account_key_of(account_no, 'fco_id', fco_id) AS key,
  CASE
    WHEN is_over THEN 'matched 0 to ' || as_text(quantity)
    WHEN is_mixed THEN 'times in order'
    WHEN ends_elsewhere THEN 'a history that ends with ' || coalesce(status, 'no status')
    WHEN is_long THEN 'valid for 0 to 31 days'
  END AS expected,
  CASE
    WHEN is_over THEN 'matched ' || as_text(matched_quantity)
    WHEN is_mixed THEN 'times rise and fall'
    WHEN ends_elsewhere THEN 'it ends with ' || ends_with
    WHEN is_long THEN strftime(mart.exchange_time(from_at), '%Y-%m-%d %H:%M:%S') || ' to '
      || strftime(mart.exchange_time(to_at), '%Y-%m-%d %H:%M:%S')
  END AS actual,
  CASE WHEN is_over THEN greatest(0 - num(matched_quantity), num(matched_quantity) - num(quantity))
    WHEN is_long AND NOT is_mixed AND NOT ends_elsewhere
    THEN date_diff('day', from_at, to_at) - 31 END AS residual,
  CASE
    WHEN is_over OR is_mixed THEN 'break'
    WHEN ends_elsewhere THEN CASE
      WHEN is_kept OR while_trading(received_at, as_of) THEN 'soft'
      ELSE 'break'
    END
    WHEN is_long THEN 'soft'
    ELSE 'pass'
  END AS result
FROM order_check
