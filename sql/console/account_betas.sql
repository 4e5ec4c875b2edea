-- grain: one row per account and index, by what its latest complete snapshot holds
-- Of one account, or of all: ALL. An account whose latest snapshot has none is not here: what an earlier day
-- had is over.
WITH latest_day AS (
  SELECT account_no, trading_date
  FROM mart.account_day
  WHERE snapshot_id IS NOT NULL AND $account IN ('ALL', account_no)
  QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) = 1
)
SELECT account_no, trading_date, index_code, positions, positions_with_beta, covered_weight,
  beta_of_positions, beta_of_equity
FROM mart.account_beta SEMI JOIN latest_day USING (account_no, trading_date)
ORDER BY account_no, index_code
