-- A cash dividend is to come to an account, or is paid, or is overdue
-- key: account_no, symbol, ex_date, state
--
-- No source states pay dates beforehand: a dividend is reported when it is expected, and when it is paid.
SELECT account_no, symbol, ex_date, state, shares_entitled, net, pay_date, source
FROM mart.dividend_expected
WHERE shares_entitled > 0
ORDER BY ALL
