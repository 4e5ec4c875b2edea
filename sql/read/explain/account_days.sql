-- grain: one row per trading date with a complete snapshot of one account, $account
-- Money in VND, null for a derivative account. sessions: those since the complete snapshot before.
WITH complete_day AS (
  SELECT account_no, account_type, trading_date, before_of, snapshot_id
  FROM mart.account_day
  WHERE account_no = $account AND snapshot_id IS NOT NULL
), stored_session AS (
  SELECT DISTINCT trading_date
  FROM market.daily_summary
  WHERE trading_date BETWEEN (SELECT min(trading_date) FROM complete_day)
    AND (SELECT max(trading_date) FROM complete_day)
), session_count AS (
  SELECT complete_day.trading_date, count(stored_session.trading_date) AS sessions
  FROM complete_day
  LEFT JOIN stored_session
    ON stored_session.trading_date > complete_day.before_of
      AND stored_session.trading_date <= complete_day.trading_date
  GROUP BY complete_day.trading_date
)
SELECT CAST(complete_day.trading_date AS VARCHAR) AS trading_date, account_type,
  CAST(sessions AS INTEGER) AS sessions,
  CAST(balance.account_balance AS DOUBLE) AS balance,
  CAST(balance.total_debt AS DOUBLE) AS debt,
  CAST(coalesce(balance.interest_loan, 0) + coalesce(balance.overdue_fee_loan, 0) AS DOUBLE) AS interest,
  CAST(balance.dividend AS DOUBLE) AS dividend,
  CAST(balance.sell_t0 AS DOUBLE) AS sell_t0,
  CAST(balance.sell_t1 AS DOUBLE) AS sell_t1,
  CAST(balance.sell_t2 AS DOUBLE) AS sell_t2,
  CAST(balance.buy_t0 AS DOUBLE) AS buy_t0,
  CAST(balance.buy_t1 AS DOUBLE) AS buy_t1,
  CAST(balance.buy_t2 AS DOUBLE) AS buy_t2
FROM complete_day
JOIN session_count USING (trading_date)
LEFT JOIN account.equity_balance balance
  ON balance.snapshot_id = complete_day.snapshot_id AND balance.account_no = complete_day.account_no
ORDER BY complete_day.trading_date;
