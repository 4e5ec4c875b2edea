-- grain: one row per account, kind and industry of what its latest complete snapshot holds
-- Of one account, or of all: ALL. An account whose latest snapshot has none is not here: what an earlier day
-- had is over.
WITH latest_day AS (
  SELECT account_no, trading_date
  FROM mart.account_day
  WHERE snapshot_id IS NOT NULL AND $account IN ('ALL', account_no)
  QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) = 1
)
SELECT account_no, trading_date, kind, icb_code, icb_name, positions, market_value, weight
FROM mart.account_sector SEMI JOIN latest_day USING (account_no, trading_date)
ORDER BY account_no, weight DESC NULLS LAST, kind, icb_code
