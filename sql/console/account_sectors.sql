-- grain: one row per account, kind and industry of what its latest complete snapshot holds
-- Of one account, or of all: ALL.
SELECT account_no, trading_date, kind, icb_code, icb_name, positions, market_value, weight
FROM mart.account_sector
WHERE $account IN ('ALL', account_no)
QUALIFY trading_date = max(trading_date) OVER (PARTITION BY account_no)
ORDER BY account_no, weight DESC NULLS LAST, kind, icb_code
