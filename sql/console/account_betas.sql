-- grain: one row per account and index, by what its latest complete snapshot holds
-- Of one account, or of all: ALL.
SELECT account_no, trading_date, index_code, positions, positions_with_beta, covered_weight,
  beta_of_positions, beta_of_equity
FROM mart.account_beta
WHERE $account IN ('ALL', account_no)
QUALIFY trading_date = max(trading_date) OVER (PARTITION BY account_no)
ORDER BY account_no, index_code
