-- grain: one row per account, symbol and ex-date of a cash dividend that is not paid
-- Of one account, or of all: ALL.
SELECT account_no, symbol, ex_date, shares_entitled, gross, tax, net, state, source
FROM mart.dividend_expected
WHERE state <> 'paid' AND $account IN ('ALL', account_no)
ORDER BY ex_date DESC, account_no, symbol
