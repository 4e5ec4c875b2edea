-- grain: one row: the trading dates that the report is about
-- day_known: whether anything was requested for $day; newest_day: the newest trading date of the ledger.
-- night_day: that of the newest nightly; has_snapshots: whether any account has one, of any day.
SELECT
  (SELECT max(trading_date) FROM market.daily_summary WHERE trading_date <= $day) AS session,
  (SELECT count(*) > 0 FROM ops.coverage WHERE window_from = $day) AS day_known,
  (SELECT max(window_from) FROM ops.coverage) AS newest_day,
  (SELECT arg_max(trading_date, run_id) FROM ops.run WHERE job = 'nightly') AS night_day,
  (SELECT count(*) > 0 FROM account.snapshot) AS has_snapshots;
