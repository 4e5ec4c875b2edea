-- grain: one row per equity account whose own sales have shown its fee rate in the year up to a trading
--   date
-- (mart.fee_rate_shown) A rate holds until the next day of sales shows another: without it, half of the
-- account days had an unexplained residual of just the fee (0.15 % of what was bought).
CREATE OR REPLACE MACRO mart.fee_rate(as_of_day) AS TABLE
SELECT account_no, max(trading_date) AS shown_on, arg_max(fee_rate, trading_date) AS fee_rate
FROM mart.fee_rate_shown
WHERE trading_date BETWEEN CAST(as_of_day AS DATE) - 365 AND CAST(as_of_day AS DATE)
GROUP BY account_no;
COMMENT ON MACRO TABLE mart.fee_rate IS
  'Fee rate of each equity account, a fraction of value, as its latest sales up to a trading date showed it '
  '(shown_on), 365 days back at most.';
